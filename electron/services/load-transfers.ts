import type { KeyringState } from '../../shared/ipc/app-info.ts'
import type { EnqueueResult } from '../../shared/ipc/ipc-contract.ts'
import { message, type Message } from '../../shared/language/message.ts'
import { QUIT_FINISH_MS, SLEEP_FINISH_MS } from '../../shared/limits.ts'
import { damageMessage } from '../../shared/transfer/damage-words.ts'
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

/** What of the transfers is there once the list is read. */
export interface LoadedTransfers {
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
}

/** What it takes to load them. */
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

/** Reads the list and continues what ran when it was last closed; in safe mode that is paused. Call once. */
export async function loadTransfers(opened: Opened): Promise<LoadedTransfers> {
  const { engine, network, places, settings, lowSpeed, demo, sample, notices, checkpoints, deps } = opened
  const { isSafe, resetWhenSafe, settled, clock, credentials, onError } = opened
  const leftThere = createLeftThere({ clock, places, tell: notices.tell })
  engine.onNotDiscarded(leftThere)
  const { setAside } = await engine.load({ isPaused: isSafe })
  if (!isSafe && credentials.state() === 'ready') await goOnUnlocked(engine)
  demo.onAgain(() => void engine.retry(waitingFor(DEMO_PLACE_ID, engine), 'demo-store-back'))
  if (isSafe) notices.tell(message('services.start.safe-mode'))
  notices.tell(...startNotices(setAside, checkpoints.damage))
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

/** What changes transfers by itself first, then the transfers, then what they use. */
async function closeAll(parts: Closing, stopWatching: () => void): Promise<void> {
  const { engine, places, demo, timedPause, lowSpeed, clearing, settled, hasher } = parts
  stopWatching()
  lowSpeed.close()
  await timedPause.close()
  await clearing.close()
  await engine.close(QUIT_FINISH_MS)
  // Where the window was is set as it closes.
  await Promise.all([places.close(), demo.close(), hasher.close(), settled()])
}

/** What the end of a sleep, or another network, asks for. */
function createWake(
  parts: Pick<Opened, 'engine' | 'network' | 'places' | 'lowSpeed'> & { readonly timedPause: TimedPause },
): () => void {
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

function startNotices(setAside: number, damage: Damage | null): readonly Message[] {
  return [
    ...(setAside === 0 ? [] : [message('services.start.set-aside', { count: setAside })]),
    ...(damage === null ? [] : damageNotices(damage)),
  ]
}

function demoNotices({ problem, movedAside }: DemoStart): readonly Message[] {
  return [
    ...(problem === null ? [] : [message('services.start.demo-closed', { problem: messageOf(problem) })]),
    ...(movedAside === null ? [] : [message('services.start.demo-moved', { folder: movedAside })]),
  ]
}

function damageNotices(damage: Damage): readonly Message[] {
  const kept = message('services.start.list-kept', { path: damage.keptAs })
  return [damageMessage(damage), ...(damage.isWhole ? [] : [message('services.start.add-again')]), kept]
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message.replace(/\.$/, '') : String(problem)
}
