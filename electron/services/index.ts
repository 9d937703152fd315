import { join } from 'node:path'
import { limitsOf } from '../../shared/settings.ts'
import type { TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'
import {
  createEngine,
  createNodeDeps,
  createOpenUploads,
  createSystemClock,
  createTokenBucket,
  openCheckpointStore,
  openSidecarKey,
  type Engine,
  type EngineOptions,
} from '../engine/index.ts'
import type { CredentialStore } from './common/credential-store.ts'
import { createQueueViews } from './common/queue-view.ts'
import { createNamedValues, FORGETFUL_VALUES, type NamedValues } from './common/named-values.ts'
import { openLowSpeed, type LowSpeed } from './bandwidth/low-speed.ts'
import { loadSettings, type SettingsStore } from './common/settings-store.ts'
import { createValueFiles } from './common/value-files.ts'
import { openNetwork, type AppNetwork, type NetworkDeps } from './network/app-network.ts'
import { hostDemoStore, type DemoHostDeps } from './places/demo-place.ts'
import { loadTransfers, type LoadedTransfers } from './load-transfers.ts'
import { createNotices } from './notices.ts'
import { loadPlaces, type Places } from './places/places.ts'
import { createSample, SAMPLE_BYTES_PER_SECOND, SAMPLE_NAME } from './transfers/sample.ts'
import { throttleUploads } from './transfers/throttled-store.ts'

/** What of the transfers is there before the list is read. */
export interface OpenTransfers {
  readonly engine: Engine
  readonly network: AppNetwork
  readonly places: Places
  readonly settings: SettingsStore
  readonly values: NamedValues
  /** What a long list begins with; null: it is short, and read as soon. */
  readonly firstLook: Promise<TransferSnapshot | null>
  /** Reads the list and continues what ran when it was last closed. Call once. */
  readonly load: () => Promise<LoadedTransfers>
}

/** Everything that works without a window. */
export type Transfers = Omit<OpenTransfers, 'firstLook' | 'load'> & LoadedTransfers

/** What transfers need of the app. */
export interface AppParts {
  readonly credentials: CredentialStore
  readonly session: NetworkDeps['session']
  readonly startDemo: DemoHostDeps['start']
  readonly onError: (what: string, error: unknown) => void
}

/**
 * Opens the transfers of one state folder. In safe mode those that ran when it was last closed are paused instead of
 * continued, the demo store stays off, and settings are the defaults, whose changes are forgotten at the end.
 */
export async function openTransfers(folder: string, parts: AppParts, isSafe = false): Promise<OpenTransfers> {
  const { credentials, session, startDemo, onError } = parts
  const clock = createSystemClock()
  const notices = createNotices()
  const checkpoints = await openCheckpointStore(join(folder, 'state', 'transfers.db'), clock, credentials)
  const files = createValueFiles(join(folder, 'state', 'values'), checkpoints)
  const values = createNamedValues(files)
  const lasting = isSafe ? FORGETFUL_VALUES : values
  const demoDeps = { values, directory: join(folder, 'demo-store'), clock, start: startDemo, tell: notices.tell }
  const [stored, demo, network] = await Promise.all([
    loadSettings(lasting),
    hostDemoStore(demoDeps, isSafe),
    openNetwork({ values, credentials, session }),
  ])
  const sample = createSample(join(folder, 'sample'))
  const pace = createTokenBucket(clock, SAMPLE_BYTES_PER_SECOND)
  const decorateDemo = (store: Parameters<typeof throttleUploads>[0]) => throttleUploads(store, SAMPLE_NAME, pace)
  const places = await loadPlaces({ values, credentials, demo, decorateDemo, network })
  const sidecarKey = await openSidecarKey(join(folder, 'state'))
  const deps = { ...createNodeDeps(clock, sidecarKey), checkpoints, openUploads: createOpenUploads(clock) }
  const lowSpeed = await openLowSpeed({ values: lasting, clock, schedule: stored.get().lowSpeedSchedule, onError })
  const engine = createEngine({ ...deps, openStore: places.openStore }, engineOptions(stored, lowSpeed))
  const settings = followedBy(engine, stored, lowSpeed)
  const firstLook = firstLookAsLeft(engine, values)
  const own = { clock, checkpoints, files, lasting, lowSpeed, demo, sample, notices, deps, credentials, onError }
  return {
    ...{ engine, network, places, settings, values, firstLook },
    load: async () => {
      await firstLook
      return loadTransfers({ engine, network, places, settings, ...own }, isSafe)
    },
  }
}

/** The first look, unless the list was left in an order of its own, whose top it doesn't know. */
async function firstLookAsLeft(engine: Engine, values: NamedValues): Promise<TransferSnapshot | null> {
  try {
    const view = await createQueueViews(values).get()
    return view?.sort == null ? await engine.firstLook() : null
  } catch {
    // It is only seen: what can't be read is told by what reads all.
    return null
  }
}

/** Settings that count as soon as they are set, and low speed as soon as it holds. */
function followedBy(engine: Engine, stored: SettingsStore, lowSpeed: LowSpeed): SettingsStore {
  const configure = () => engine.configure(engineOptions(stored, lowSpeed))
  lowSpeed.follow(configure)
  return {
    ...stored,
    set: async (changes) => {
      const settings = await stored.set(changes)
      configure()
      await lowSpeed.reschedule(settings.lowSpeedSchedule)
      return settings
    },
  }
}

function engineOptions(stored: SettingsStore, lowSpeed: LowSpeed): EngineOptions {
  const settings = stored.get()
  const { activeTransfers, connectionsPerTransfer, partSizeBytes, startsAdded } = settings
  return {
    activeTransfers,
    connectionsPerTransfer,
    limits: limitsOf(settings, lowSpeed.state().isOn),
    partSizeBytes,
    addsPaused: !startsAdded,
    giveUpAfterMs: null,
  }
}
