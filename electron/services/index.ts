import { join } from 'node:path'
import { limitsOf, type Settings } from '../../shared/settings.ts'
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
import type { CredentialStore } from './persistence/credential-store.ts'
import { createQueueViews } from './persistence/queue-view.ts'
import type { NamedValues } from './persistence/named-values.ts'
import { openLowSpeed, type LowSpeed } from './bandwidth/low-speed.ts'
import type { SettingsStore } from './persistence/settings-store.ts'
import { openNetwork, type AppNetwork, type NetworkDeps } from './network/app-network.ts'
import { hostDemoStore, type DemoHostDeps } from './places/demo-place.ts'
import type { KeptValues } from './persistence/kept-values.ts'
import { loadTransfers, type LoadedTransfers } from './load-transfers.ts'
import { createNotices } from './notices.ts'
import { loadPlaces, type Places } from './places/places.ts'
import { createSample, SAMPLE_BYTES_PER_SECOND, SAMPLE_NAME } from './transfers/sample.ts'
import { throttleUploads } from './transfers/throttled-store.ts'

export { openKeptValues, type KeptValues } from './persistence/kept-values.ts'
export { startError } from './start-error.ts'

/** The parts of the transfers that are available before the list is read. */
export interface OpenTransfers {
  readonly engine: Engine
  readonly network: AppNetwork
  readonly places: Places
  /** The top of a long list; null when the list is short, because all of it is read as quickly. */
  readonly firstLook: Promise<TransferSnapshot | null>
  /** Reads the list and continues the transfers that ran when it was last closed. Call once. */
  readonly load: () => Promise<LoadedTransfers>
}

/** Everything that works without a window. */
export type Transfers = Omit<OpenTransfers, 'firstLook' | 'load'> & LoadedTransfers & KeptValues

/** What transfers need from the app. */
export interface AppParts {
  readonly kept: KeptValues
  readonly credentials: CredentialStore
  readonly session: NetworkDeps['session']
  readonly startDemo: DemoHostDeps['start']
  readonly onError: (what: string, error: unknown) => void
}

/**
 * Opens the transfers of one state folder. In safe mode those that ran when it was last closed are paused instead of
 * continued, and the demo store stays off.
 */
export async function openTransfers(folder: string, parts: AppParts): Promise<OpenTransfers> {
  const { kept, credentials, session, startDemo, onError } = parts
  const { isSafe, values, resetWhenSafe, settings } = kept
  const clock = createSystemClock()
  const notices = createNotices()
  const demoDeps = { values, directory: join(folder, 'demo-store'), clock, start: startDemo, tell: notices.tell }
  const schedule = settings.get().lowSpeedSchedule
  const [checkpoints, demo, network, lowSpeed] = await Promise.all([
    openCheckpointStore(join(folder, 'state', 'transfers.db'), clock, credentials),
    hostDemoStore(demoDeps, isSafe),
    openNetwork({ values, credentials, session }),
    openLowSpeed({ values: resetWhenSafe, clock, schedule, onError }),
  ])
  const sidecarKey = await openSidecarKey(join(folder, 'state'))
  const sample = createSample(join(folder, 'sample'))
  const pace = createTokenBucket(clock, SAMPLE_BYTES_PER_SECOND)
  const decorateDemo = (store: Parameters<typeof throttleUploads>[0]) => throttleUploads(store, SAMPLE_NAME, pace)
  const places = await loadPlaces({ values, credentials, demo, decorateDemo, network })
  const deps = { ...createNodeDeps(clock, sidecarKey), checkpoints, openUploads: createOpenUploads(clock) }
  const engine = createEngine({ ...deps, openStore: places.openStore }, engineOptions(settings.get(), lowSpeed))
  configureAsSet(engine, settings, lowSpeed)
  const firstLook = firstLookAsLeft(engine, values)
  const own = { clock, checkpoints, lowSpeed, demo, sample, notices, deps, credentials, onError }
  return {
    ...{ engine, network, places, firstLook },
    load: async () => {
      await firstLook
      return loadTransfers({ engine, network, places, ...kept, ...own })
    },
  }
}

/** The first look, unless the person sorted the list: the first look doesn't know the top of a sorted list. */
async function firstLookAsLeft(engine: Engine, values: NamedValues): Promise<TransferSnapshot | null> {
  try {
    const view = await createQueueViews(values).get()
    return view?.sort == null ? await engine.firstLook() : null
  } catch {
    // The first look is only for display. `load` reads the same data and reports what can't be read.
    return null
  }
}

/** Applies settings to the engine as soon as they are set, and low speed as soon as it changes. */
function configureAsSet(engine: Engine, settings: SettingsStore, lowSpeed: LowSpeed): void {
  const configure = () => engine.configure(engineOptions(settings.get(), lowSpeed))
  lowSpeed.follow(configure)
  settings.follow(({ lowSpeedSchedule }) => {
    configure()
    // The promise is returned so that whoever sets the schedule learns if the end of a choice can't be kept.
    return lowSpeed.reschedule(lowSpeedSchedule)
  })
}

function engineOptions(settings: Settings, lowSpeed: LowSpeed): EngineOptions {
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
