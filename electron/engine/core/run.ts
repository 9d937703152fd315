// What a run is given and how it answers. The queue starts runs; uploads, downloads and folders implement them.

import type { FileState } from '../../../shared/transfer/folder-file.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type {
  ItemFailure,
  NothingToCheck,
  Proof,
  RenamedItem,
  TransferItems,
  UnitState,
  WaitState,
} from '../../../shared/transfer/transfer.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import type { ConnectionGovernors } from './connections.ts'
import type { EngineDeps, FileSystem } from './deps.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type {
  DownloadRecord,
  DueAbort,
  FolderRecord,
  TransferRecord,
  UploadFolderRecord,
  UploadRecord,
} from './records.ts'
import type { GiveUpAfter, RetryBudget } from './retry-policy.ts'
import type { WindDown } from './wind-down.ts'

/** Why a run is told to stop: the reason of its abort signal. What is in flight is kept as far as it is durable. */
export type StopReason = 'pause' | 'cancel' | 'close'

/** What a run is busy with, as the row shows it. */
export type RunStage = 'preparing' | 'transferring' | 'verifying' | 'completing'

/**
 * The input of one run of a transfer, which goes from what its record says is already there to an outcome. `runUpload`
 * and `runDownload` take it. Resuming is the same function entered with a fuller record.
 */
export interface RunContext<R extends TransferRecord> {
  readonly record: R
  readonly store: ObjectStore
  readonly deps: EngineDeps
  readonly limiter: RateLimiter
  /** How many requests this transfer makes at a time, 1 or more, or the governors that find out how many pay. */
  readonly connections: number | ConnectionGovernors
  /** Multipart part size that a person asked for, in bytes; null: planned by size. */
  readonly partSizeBytes: number | null
  /** Give up after this long without any progress; null: never (the window). */
  readonly giveUpAfterMs: GiveUpAfter
  /** What requests to the same service may spend on retries. If left out, there is no limit. */
  readonly retryBudget?: RetryBudget
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal
  /** Lets what is nearly done end before a pause, sleep or quit aborts `signal`. */
  readonly windDown: WindDown
  /** Whether another transfer continues this multipart upload. */
  readonly isTaken: (uploadId: string) => boolean
  /** Has a useless multipart upload aborted in the background, unless it is taken. Resolves when that is durable. */
  readonly abandon: (upload: DueAbort) => Promise<void>
  readonly report: RunReporter
}

/** How a run reports what it does. Calls are cheap, synchronous and never throw. */
export interface RunReporter {
  stage(stage: RunStage): void
  size(sizeBytes: number): void
  /** Layout of the parts map. Unit 0 is part 1 or the first segment. */
  units(layout: { readonly count: number; readonly unitSizeBytes: number }): void
  unit(index: number, state: UnitState): void
  /**
   * Payload bytes that have reached the other side, or us; drives speed and in-flight. Negative when a retry rewinds.
   * `overMs`: they moved unseen over this many milliseconds until now; Infinity if nobody knows when: the rate stays.
   */
  moved(bytes: number, overMs?: number): void
  /** Bytes that became durable, or were found durable on resume (`found`). Negative when a claim is dropped. */
  confirmed(bytes: number, how: 'moved' | 'found'): void
  /** How long the work after the last byte will take, as far as known (milliseconds). */
  closing(ms: number): void
  /** Null ends the wait. Where several parties report waits, `who` tells them apart, and each ends only its own. */
  waiting(wait: WaitState | null, who?: unknown): void
  /** How many parts, or requests for whole files, a wind-down lets end; null: none, or none any more. */
  finishing(units: number | null): void
  /**
   * Bytes on their way that a stop gave up and that must move again. Called at the stop, for each part or for all.
   */
  dropped(bytes: number): void
  /** One line of the transfer's history, in plain words. */
  log(text: string, requestId?: string | null): void
  facts(facts: RunFacts): void
}

/** Facts for the inspector. */
export interface RunFacts {
  readonly uploadId?: string
  readonly etag?: string
  /** Absolute path of the file, once it is known. */
  readonly localPath?: string
  /** This run keeps nothing when it stops: the next one begins anew. */
  readonly keepsNothing?: boolean
}

/** What the run of a folder reports beyond that. */
export interface FolderReporter extends RunReporter {
  items(items: TransferItems): void
  /** All failures of the last run that are listed by name. */
  failures(failures: readonly ItemFailure[]): void
  /** Likewise, the items whose file could not have the item's name. */
  renamed(renamed: readonly RenamedItem[]): void
  /** Likewise, the absolute paths that most programs can't open (`longPathWords`). */
  longPaths(paths: readonly string[]): void
  /** What becomes of one file, by its number in the plan. */
  file(number: number, state: FileState): void
}

/** What the run of a folder is given beyond that. */
interface OfMany {
  readonly report: FolderReporter
  /** The keys to try; other earlier failures stay failed. Null or left out: everything is tried again. */
  readonly only?: ReadonlySet<string> | null
}

/** One run of a folder download. */
export interface FolderContext extends RunContext<FolderRecord>, OfMany {
  readonly report: FolderReporter
}

/** How a run ends. `stopped`: the signal was aborted and everything in flight is durable or given up. */
export type RunOutcome =
  | ({ readonly kind: 'completed' } & Proof)
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: TransferErrorInfo }

/** How the run of a folder ends. */
export type FolderOutcome = RunOutcome | ({ readonly kind: 'completed' } & NothingToCheck)

/** One run of a download that knows the folder it must not leave. */
export type RootedContext = RunContext<DownloadRecord & { readonly root: string }>

/** One run of a folder upload. */
export interface UploadFolderContext extends RunContext<UploadFolderRecord>, OfMany {
  readonly report: FolderReporter
}

/** What the engine runs. Passed in, so that the engine can be tested without moving a byte. */
export interface Runs {
  upload(context: RunContext<UploadRecord>): Promise<RunOutcome>
  download(context: RunContext<DownloadRecord>): Promise<RunOutcome>
  folder(context: FolderContext): Promise<FolderOutcome>
  uploadFolder(context: UploadFolderContext): Promise<FolderOutcome>
  /**
   * Finds out how an upload with an intent ended, without completing it. `stopped`: it did not make the object, and the
   * intent is withdrawn unless the signal was aborted. `failed`: the outcome can't be found out.
   */
  resolveUpload(context: RunContext<UploadRecord>): Promise<RunOutcome>
  /** Deletes what a download left on disk beside its target. Files already missing are no error. */
  discardDownload(record: DownloadRecord, fileSystem: FileSystem): Promise<void>
  /** The same for a folder download and for the downloads that are part of it. Finished files stay. */
  discardFolder(record: FolderRecord, deps: EngineDeps): Promise<void>
  /** Hands the uploads of a folder upload to `abort`, which makes sure of it. Objects that are there stay. */
  discardUploadFolder(
    record: UploadFolderRecord,
    deps: EngineDeps,
    abort: (due: DueAbort) => Promise<void>,
  ): Promise<void>
}
