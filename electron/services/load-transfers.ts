import type { KeyringState } from '../../shared/ipc/app-info.ts'
import type { EnqueueResult } from '../../shared/ipc/ipc-contract.ts'
import { message, type Message } from '../../shared/language/message.ts'
import { QUIT_FINISH_MS, SLEEP_FINISH_MS } from '../../shared/limits.ts'
import { damageMessage } from '../../shared/transfer/words/damage-words.ts'
import {
  SYSTEM_WAKE,
  watchWake,
  type createSystemClock,
  type Damage,
  type Engine,
  type EngineDeps,
  type SqliteCheckpointStore,
} from '../engine/index.ts'
import type { LowSpeed } from './bandwidth/low-speed.ts'
import { createClearing } from './scheduling/clear-done.ts'
import type { CredentialStore } from './persistence/credential-store.ts'
import { openTimedPause, type TimedPause } from './scheduling/timed-pause.ts'
import type { KeptValues } from './persistence/kept-values.ts'
import type { AppNetwork } from './network/app-network.ts'
import type { Notices } from './notices.ts'
import { DEMO_PLACE_ID, type DemoHost, type DemoStart } from './places/demo-place.ts'
import type { BucketDeps } from './places/open-bucket.ts'
import type { Places } from './places/places.ts'
import { heldByKeyring, waitingFor } from './places/resume-held-up.ts'
import { enqueueUploads } from './transfers/enqueue-uploads.ts'
import type { createSample } from './transfers/sample.ts'
import { createUploadOffers, type UploadOffers } from './transfers/unfinished/earlier-uploads.ts'
import { createLeftThere } from './transfers/unfinished/left-there.ts'
import { createPartsLists, type PartsLists } from './transfers/unfinished/parts-lists.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from './transfers/unfinished/unfinished-uploads.ts'
import { createUploadConflicts, type UploadConflicts } from './transfers/upload-conflicts.ts'

/** The parts of the transfers that are available once the list is read. */
export interface LoadedTransfers {
  readonly timedPause: TimedPause
  readonly lowSpeed: LowSpeed
  readonly offers: UploadOffers
  readonly unfinished: UnfinishedUploads
  readonly conflicts: UploadConflicts
  readonly partsLists: PartsLists
  /** For requests to a place while a person waits for the answer. */
  readonly bucketDeps: BucketDeps & { readonly places: Places }
  /** Tells the person about the start and the demo store, one sentence for each event. */
  readonly followNotices: Notices['follow']
  /** Whether the list of transfers on disk would pass the check of the next start. */
  readonly isListSound: () => Promise<boolean>
  /** Whether the list can be saved now: its disk may have been full or read-only. */
  readonly canSave: () => Promise<boolean>
  /** Checks whether the keyring can be used by now; if so, the transfers that it stopped go on. */
  readonly unlockKeyring: () => Promise<KeyringState>
  readonly startSample: () => Promise<EnqueueResult>
  readonly tidySample: () => Promise<void>
  /** The machine is about to sleep, or has woken up. */
  readonly suspend: () => void
  readonly wake: () => void
  /** Lets transfers that are nearly done end, stops and keeps the rest; resolves when everything is on disk. */
  readonly close: () => Promise<void>
}

/** What `loadTransfers` needs. */
export interface Opened extends KeptValues {
  readonly engine: Engine
  readonly network: AppNetwork
  readonly places: Places
  readonly lowSpeed: LowSpeed
  readonly demo: DemoHost
  readonly sample: ReturnType<typeof createSample>
  readonly notices: Notices
  readonly checkpoints: SqliteCheckpointStore
  readonly deps: Omit<EngineDeps, 'openStore'>
  readonly clock: ReturnType<typeof createSystemClock>
  readonly credentials: CredentialStore
  readonly onError: (what: string, error: unknown) => void
}

/** Reads the list and continues the transfers that ran when it was last closed; safe mode pauses them. Call once. */
export async function loadTransfers(opened: Opened): Promise<LoadedTransfers> {
  const { engine, network, places, settings, lowSpeed, demo, sample, notices, checkpoints, deps } = opened
  const { isSafe, resetWhenSafe, settled, clock, credentials, onError } = opened
  const leftThere = createLeftThere({ clock, places, tell: notices.tell })
  engine.onNotDiscarded(leftThere)
  const { setAside } = await engine.load({ isPaused: isSafe })
  if (!isSafe && credentials.state() === 'ready') await goOnUnlocked(engine)
  demo.onAgain(() => void engine.retry(waitingFor(DEMO_PLACE_ID, engine), 'demo-store-back'))
  if (isSafe) notices.tell(message('services.start.safe-mode'))
  notices.tell(...startNotices(setAside, checkpoints.damage, opened))
  void demo.started.then((start) => notices.tell(...demoNotices(start)))
  const onPauseError = (error: unknown) => onError('timed pause', error)
  const timedPause = await openTimedPause({ engine, values: resetWhenSafe, clock, onError: onPauseError })
  const wake = createWake({ engine, network, places, timedPause, lowSpeed })
  const clearing = createClearing(engine, () => settings.get().clearsDone, clock.nowMs)
  await clearing.start()
  const isWaiting = () => engine.isWaitingForNetwork
  const stopWatching = watchWake({ ...SYSTEM_WAKE, clock, isWaiting, onUpset: wake })
  await sample.tidy(engine.snapshot().rows, { keepListed: false })
  const unfinished = createUnfinishedUploads({ engine, places, deps })
  const conflicts = createUploadConflicts({ engine, places, deps })
  return {
    timedPause,
    lowSpeed,
    offers: createUploadOffers({ engine, places, deps }),
    unfinished,
    conflicts,
    partsLists: createPartsLists({ engine, places, deps, unfinished }),
    bucketDeps: { places, deps },
    followNotices: notices.follow,
    isListSound: checkpoints.isSound,
    canSave: checkpoints.canWrite,
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
      closeAll({ engine, places, demo, timedPause, lowSpeed, clearing, settled, hasher: deps.hasher }, stopWatching),
  }
}

interface Closing {
  readonly engine: Engine
  readonly places: Places
  readonly demo: DemoHost
  readonly timedPause: TimedPause
  readonly lowSpeed: LowSpeed
  readonly clearing: { close(): Promise<void> }
  readonly settled: KeptValues['settled']
  readonly hasher: { close(): Promise<void> }
}

/** Closes first what changes transfers by itself, then the transfers, then what they use. */
async function closeAll(parts: Closing, stopWatching: () => void): Promise<void> {
  const { engine, places, demo, timedPause, lowSpeed, clearing, settled, hasher } = parts
  stopWatching()
  lowSpeed.close()
  await timedPause.close()
  await clearing.close()
  await engine.close(QUIT_FINISH_MS)
  // `settled` is waited for only here, because the window's position is set as the window closes.
  await Promise.all([places.close(), demo.close(), hasher.close(), settled()])
}

/** What to do when the machine wakes up or joins another network. */
function createWake(
  parts: Pick<Opened, 'engine' | 'network' | 'places' | 'lowSpeed'> & { readonly timedPause: TimedPause },
): () => void {
  const { engine, network, places, timedPause, lowSpeed } = parts
  return () => {
    // If sleep came unannounced, running transfers haven't been suspended yet. They, too, start over.
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

type LostValues = Pick<KeptValues, 'lost' | 'folder'>

function startNotices(setAside: number, damage: Damage | null, values: LostValues): readonly Message[] {
  const { lost, folder } = values
  return [
    ...(setAside === 0 ? [] : [message('services.start.set-aside', { count: setAside })]),
    ...(damage === null ? [] : damageNotices(damage, values)),
    ...(lost.has('places') ? [message('services.start.places-lost', { folder })] : []),
    ...(lost.has('settings') ? [message('services.start.settings-lost', { folder })] : []),
  ]
}

function demoNotices({ problem, movedAside }: DemoStart): readonly Message[] {
  return [
    ...(problem === null ? [] : [message('services.start.demo-closed', { problem: messageOf(problem) })]),
    ...(movedAside === null ? [] : [message('services.start.demo-moved', { folder: movedAside })]),
  ]
}

function damageNotices(damage: Damage, { lost }: LostValues): readonly Message[] {
  const areOthersWhole = !lost.has('places') && !lost.has('settings')
  return [
    damageMessage(damage),
    ...(damage.isWhole ? [] : [message('services.start.add-again')]),
    ...(areOthersWhole ? [message('services.start.others-kept')] : []),
    message('services.start.list-kept', { path: damage.keptAs }),
  ]
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message.replace(/\.$/, '') : String(problem)
}
