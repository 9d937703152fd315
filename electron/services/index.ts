import { join } from 'node:path'
import type { KeyringState } from '../../shared/ipc/app-info.ts'
import type { EnqueueResult } from '../../shared/ipc/ipc-contract.ts'
import { QUIT_FINISH_MS, SLEEP_FINISH_MS } from '../../shared/limits.ts'
import { limitsOf } from '../../shared/settings.ts'
import {
  createEngine,
  createNodeDeps,
  createOpenUploads,
  createSystemClock,
  createTokenBucket,
  openCheckpointStore,
  openSidecarKey,
  SYSTEM_WAKE,
  watchWake,
  type Damage,
  type Engine,
  type EngineOptions,
} from '../engine/index.ts'
import type { CredentialStore } from './common/credential-store.ts'
import { createClearing } from './common/clear-done.ts'
import { createNamedValues, FORGETFUL_VALUES, type NamedValues } from './common/named-values.ts'
import { openLowSpeed, type LowSpeed } from './bandwidth/low-speed.ts'
import { openTimedPause, type TimedPause } from './common/timed-pause.ts'
import { loadSettings, type SettingsStore } from './common/settings-store.ts'
import { createValueFiles, type ValueFiles } from './common/value-files.ts'
import { openNetwork, type AppNetwork, type NetworkDeps } from './network/app-network.ts'
import { DEMO_PLACE_ID, hostDemoStore, type DemoHost, type DemoHostDeps } from './places/demo-place.ts'
import { createNotices, type Notices } from './notices.ts'
import type { BucketDeps } from './places/open-bucket.ts'
import { loadPlaces, type Places } from './places/places.ts'
import { heldByKeyring, waitingFor } from './places/resume-held-up.ts'
import { createUploadOffers, type UploadOffers } from './transfers/unfinished/earlier-uploads.ts'
import { enqueueUploads } from './transfers/enqueue-uploads.ts'
import { createPartsLists, type PartsLists } from './transfers/unfinished/parts-lists.ts'
import { createSample, SAMPLE_BYTES_PER_SECOND, SAMPLE_NAME } from './transfers/sample.ts'
import { throttleUploads } from './transfers/throttled-store.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from './transfers/unfinished/unfinished-uploads.ts'
import { createUploadConflicts, type UploadConflicts } from './transfers/upload-conflicts.ts'
import { t } from '../../shared/language/translate.ts'
import { damageWords } from '../../shared/transfer/damage-words.ts'

/** Everything that works without a window. */
export interface Transfers {
  readonly engine: Engine
  readonly network: AppNetwork
  readonly places: Places
  readonly settings: SettingsStore
  readonly values: NamedValues
  readonly timedPause: TimedPause
  readonly lowSpeed: LowSpeed
  readonly offers: UploadOffers
  readonly unfinished: UnfinishedUploads
  readonly conflicts: UploadConflicts
  readonly partsLists: PartsLists
  /** What asks a place while a person waits for the answer. */
  readonly bucketDeps: BucketDeps & { readonly places: Places }
  /** Tells what the person should know about the start, and what happens to the demo store, a sentence each. */
  readonly followNotices: Notices['follow']
  /** Whether the list of transfers, as it is on disk, would pass the check of the next start. */
  readonly isListSound: () => Promise<boolean>
  /** Looks whether the keyring can be used by now; then what waited for it goes on. */
  readonly unlockKeyring: () => Promise<KeyringState>
  readonly startSample: () => Promise<EnqueueResult>
  readonly tidySample: () => Promise<void>
  /** The machine goes to sleep, or is back. */
  readonly suspend: () => void
  readonly wake: () => void
  /** Lets end what is nearly there, stops the rest and keeps it; resolves when everything is on disk. */
  readonly close: () => Promise<void>
  /** While it closes: lets nothing end any more. */
  readonly stopNow: () => void
}

/** What transfers need of the app. */
export interface AppParts {
  readonly credentials: CredentialStore
  readonly session: NetworkDeps['session']
  readonly startDemo: DemoHostDeps['start']
  readonly onError: (what: string, error: unknown) => void
}

/**
 * Opens the transfers of one state folder and continues those that ran when it was last closed. In safe mode they are
 * paused instead, the demo store stays off, and settings are the defaults, whose changes are forgotten at the end.
 */
export async function openTransfers(
  folder: string,
  { credentials, session, startDemo, onError }: AppParts,
  isSafe = false,
): Promise<Transfers> {
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
  const { setAside } = await engine.load({ isPaused: isSafe })
  if (!isSafe && credentials.state() === 'ready') await goOnUnlocked(engine)
  demo.onAgain(() => void engine.retry(waitingFor(DEMO_PLACE_ID, engine), 'demo-store-back'))
  if (isSafe) notices.tell(t('services.start.safe-mode'))
  startNotices(setAside, checkpoints.damage, demo).forEach(notices.tell)
  const onPauseError = (error: unknown) => onError('timed pause', error)
  const timedPause = await openTimedPause({ engine, values: lasting, clock, onError: onPauseError })
  const wake = createWake({ engine, network, places, timedPause, lowSpeed })
  const settings = followedBy(engine, stored, lowSpeed)
  const clearing = createClearing(engine, () => settings.get().clearsDone, clock.nowMs)
  await clearing.start()
  const isWaiting = () => engine.isWaitingForNetwork
  const stopWatching = watchWake({ ...SYSTEM_WAKE, clock, isWaiting, onUpset: wake })
  await sample.tidy(engine.snapshot().rows, { keepListed: false })
  const unfinished = createUnfinishedUploads({ engine, places, deps })
  const conflicts = createUploadConflicts({ engine, places, deps })
  return {
    engine,
    network,
    places,
    settings,
    values,
    timedPause,
    lowSpeed,
    offers: createUploadOffers({ engine, places, deps }),
    unfinished,
    conflicts,
    partsLists: createPartsLists({ engine, places, deps, unfinished }),
    bucketDeps: { places, deps },
    followNotices: notices.follow,
    isListSound: checkpoints.isSound,
    unlockKeyring: createUnlock(credentials, network, engine),
    startSample: () =>
      sample.start((path) => {
        const uploads = { placeId: DEMO_PLACE_ID, prefix: '', paths: [path], onConflict: 'replace' } as const
        return enqueueUploads(engine, places, uploads, conflicts)
      }),
    tidySample: () => sample.tidy(engine.snapshot().rows, { keepListed: true }),
    suspend: () => void engine.suspend(SLEEP_FINISH_MS),
    wake,
    close: () =>
      closeAll({ engine, places, demo, timedPause, lowSpeed, clearing, files, hasher: deps.hasher }, stopWatching),
    stopNow: () => void engine.suspend(),
  }
}

interface Closing {
  readonly engine: Engine
  readonly places: Places
  readonly demo: DemoHost
  readonly timedPause: TimedPause
  readonly lowSpeed: LowSpeed
  readonly clearing: { close(): Promise<void> }
  readonly files: Pick<ValueFiles, 'settled'>
  readonly hasher: { close(): Promise<void> }
}

/** What changes transfers by itself first, then the transfers, then what they use. */
async function closeAll(parts: Closing, stopWatching: () => void): Promise<void> {
  const { engine, places, demo, timedPause, lowSpeed, clearing, files, hasher } = parts
  stopWatching()
  lowSpeed.close()
  await timedPause.close()
  await clearing.close()
  await engine.close(QUIT_FINISH_MS)
  // Where the window was is set as it closes.
  await Promise.all([places.close(), demo.close(), hasher.close(), files.settled()])
}

/** What the end of a sleep, or another network, asks for. */
function createWake(parts: Pick<Transfers, 'engine' | 'network' | 'places' | 'timedPause' | 'lowSpeed'>): () => void {
  const { engine, network, places, timedPause, lowSpeed } = parts
  return () => {
    // Where sleep came unannounced, whatever ran begins anew, too.
    void engine.suspend()
    network.refresh()
    places.dropConnections()
    engine.wake()
    timedPause.check()
    lowSpeed.check()
  }
}

function createUnlock(credentials: CredentialStore, network: AppNetwork, engine: Engine) {
  return async (): Promise<KeyringState> => {
    const state = credentials.state()
    if (state === 'ready') {
      network.unlock()
      await goOnUnlocked(engine)
    }
    return state
  }
}

function goOnUnlocked(engine: Engine): Promise<void> {
  return engine.retry(heldByKeyring(engine), 'keyring-unlocked')
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

function startNotices(
  setAside: number,
  damage: Damage | null,
  demo: Pick<DemoHost, 'problem' | 'movedAside'>,
): readonly string[] {
  return [
    ...(setAside === 0 ? [] : [t('services.start.set-aside', { count: setAside })]),
    ...(damage === null ? [] : [damageNotice(damage)]),
    ...(demo.problem === null ? [] : [t('services.start.demo-closed', { problem: messageOf(demo.problem) })]),
    ...(demo.movedAside === null ? [] : [t('services.start.demo-moved', { folder: demo.movedAside })]),
  ]
}

function damageNotice(damage: Damage): string {
  const kept = t('services.start.list-kept', { path: damage.keptAs })
  return [damageWords(damage), ...(damage.isWhole ? [] : [t('services.start.add-again')]), kept].join(' ')
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message.replace(/\.$/, '') : String(problem)
}
