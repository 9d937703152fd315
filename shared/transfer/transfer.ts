// A transfer as every process knows it: row, states, totals, deltas. Types, and the words they are made of.

import type { PlaceId } from '../place/place.ts'
import type { WaitCause } from '../wait-cause.ts'
import type { TransferErrorInfo } from './transfer-error.ts'

/** UUID of one row of the queue. */
export type TransferId = string

export type TransferDirection = 'upload' | 'download'

/**
 * What a transfer is doing. `waiting` ends by itself; `failed` needs a person and keeps what is already transferred.
 * `pausing` lasts until the last in-flight bytes are durable or cut.
 */
export type TransferStatus =
  | 'queued'
  | 'preparing'
  | 'transferring'
  | 'waiting'
  | 'pausing'
  | 'paused'
  | 'verifying'
  | 'completing'
  | 'completed'
  | 'failed'
  | 'canceled'

/** Why a transfer waits. */
export type WaitReason =
  'network' | 'proxy' | 'server-busy' | 'server-error' | 'disk-full' | 'target-unwritable' | DriveReason
/** What the drive of its files, or that they are not there, makes a transfer wait for. */
export type DriveReason = 'source-missing' | 'drive-unresponsive'

/** What a waiting transfer waits for, and until when. */
export interface WaitState {
  readonly reason: WaitReason
  /** What came of the last request; null or left out: it was none. */
  readonly cause?: WaitCause | null
  /** When the next try starts, milliseconds since the epoch; null when an event ends the wait, not a time. */
  readonly retryAtMs: number | null
  /** Number of the next try, 1 or more. */
  readonly attempt: number
  /** The server named the time (Retry-After): it holds for the next request, too. */
  readonly isAsked?: boolean
}

/**
 * What proved that a finished copy equals its origin. `size-only` is said honestly when nothing more can be proven,
 * `unproven` when not even the size was told.
 */
export type Verification = 'etag-md5' | 'etag-multipart' | 'digest' | 'crc' | 'evidence' | 'size-only' | 'unproven'

/**
 * Why no more than the size was checked. `parts-untold`: how the object was cut into parts is needed for it and not
 * told; `parts-uneven`: it would take too many questions; `parts-differ`: it is told, and does not lead to what the
 * service gives; `etag-differs`, `checksum-differs`: the same bytes came twice, and theirs is another; `left-alone`:
 * nothing was transferred.
 */
export const PROOF_LACKS = [
  'no-checksum',
  'parts-untold',
  'parts-uneven',
  'parts-differ',
  'etag-differs',
  'checksum-differs',
  'left-alone',
] as const
export type ProofLack = (typeof PROOF_LACKS)[number]

/** There was no file in a folder. */
export interface NothingToCheck {
  readonly verification: null
  readonly lack?: never
}

/** What a check of a finished copy found. */
export interface Proof {
  readonly verification: Verification
  /** Left out where more than the size was checked, or why is not known. */
  readonly lack?: ProofLack
}

/** State of one part (upload) or segment (download) on the parts map. `begun`: some of its bytes are there. */
export type UnitState = 'waiting' | 'begun' | 'active' | 'done' | 'found' | 'retrying' | 'failed'

/** One row of the queue, as the window shows it. Immutable; a changed row is a new object. */
export interface TransferRow {
  readonly id: TransferId
  readonly direction: TransferDirection
  /** Queue order, ascending. */
  readonly position: number
  /** File name that names the row; of several, that of the first. Shown as `rowName` says it. */
  readonly name: string
  /** Place the object is in; null for a plain link. */
  readonly placeId: PlaceId | null
  readonly bucket: string
  /** Object key, or the link without its query. */
  readonly key: string
  /** Source file of an upload, target file of a download; absolute. */
  readonly localPath: string
  readonly status: TransferStatus
  /** Null until the first answer of a download. */
  readonly sizeBytes: number | null
  /** Bytes that survive a power cut: acknowledged parts, or synced and recorded ranges. */
  readonly confirmedBytes: number
  /** Bytes on their way that are not confirmed yet. */
  readonly inFlightBytes: number
  /** Payload rate, smoothed; 0 when nothing moves. */
  readonly bytesPerSecond: number
  /** Null while it can't be estimated. */
  readonly etaSeconds: number | null
  /** Parts or segments: confirmed and all. 0 of 0 while unknown. */
  readonly unitsDone: number
  readonly unitsTotal: number
  /** Of one that stops: parts, or requests for whole files of a folder, that are let end first; null: none. */
  readonly finishingUnits: number | null
  /** The objects of a folder that is one row; null or left out: the row is one object. */
  readonly items?: TransferItems | null
  /** Beside the first, of several files or folders that were dropped together; `localPath` is where the first of them is. */
  readonly others?: number | undefined
  /** Nothing tells which version its bytes are of: when it stops none of them is kept, and it starts over. */
  readonly startsOver?: boolean
  readonly wait: WaitState | null
  readonly error: TransferErrorInfo | null
  /** Set once completed. */
  readonly verification: Verification | null
  /** Why it is `size-only`, where that is known. */
  readonly proofLack?: ProofLack
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
  /** Time spent transferring, milliseconds; what it waited does not count. */
  readonly activeMs: number
  /** Bandwidth limit of this transfer, bytes a second; null: only those it shares with others. */
  readonly limitBytesPerSecond: number | null
}

/** How far the objects of a folder are. A new object whenever a number changes. */
export interface TransferItems {
  /** Downloaded, or there already and proven equal, or skipped as asked. */
  readonly done: number
  /** Of `done` those that were there already with the same content; left out: none. */
  readonly alreadyThere?: number | undefined
  /** Of `done` those of which something else has the name, and was left alone as asked; left out: none. */
  readonly skipped?: number | undefined
  readonly total: number
  readonly failed: number
  /** False while the folder is still being listed: `total` and the row's size grow. */
  readonly isCounted: boolean
}

/** Why one object of a folder was not downloaded. */
export interface ItemFailure {
  readonly key: string
  readonly error: TransferErrorInfo
}

/** `running`: as a checkpoint says that a transfer was under way. */
export function isFinal(status: TransferStatus | 'running'): boolean {
  return status === 'completed' || status === 'canceled'
}

export function isOfDrive(reason: WaitReason): reason is DriveReason {
  return reason === 'source-missing' || reason === 'drive-unresponsive'
}

/**
 * Whether its file or folder here is whole, so that other programs can take it. Of a batch only the folder is known that
 * its files are in, with all else that is there.
 */
export function isFinishedFile({ status, others }: TransferRow): boolean {
  return status === 'completed' && others === undefined
}

/** What the inspector shows of one transfer beyond its row. */
export interface TransferDetails {
  readonly id: TransferId
  readonly uploadId: string | null
  readonly etag: string | null
  /** Size of a part or segment in bytes; the last may be smaller. 0 while unknown. */
  readonly unitSizeBytes: number
  /** How many parts or segments one cell of the map stands for, 1 or more. */
  readonly unitsPerCell: number
  readonly cells: readonly UnitState[]
  /** Latest last, at most 101: the first is when it was added. */
  readonly log: readonly TransferLogEntry[]
  /** Bytes on their way that the stop of the last run gave up. */
  readonly droppedBytes: number
  /** The first 100 objects of a folder that the last run did not download. */
  readonly failures?: readonly ItemFailure[]
  /** The first 100 objects of a folder whose file could not have their name. */
  readonly renamed?: readonly RenamedItem[]
  /** The first 100 files of a folder that most programs of Windows can't open, for their paths (absolute) are too long. */
  readonly longPaths?: readonly string[]
  /** What a folder upload leaves out, the first 100; null or left out: nothing is known of that. */
  readonly skipped?: SkippedSums | null
  readonly averageBytesPerSecond: number
  readonly peakBytesPerSecond: number
  readonly speed: SpeedHistory
}

/** How fast a transfer was, bytes a second, oldest first; null: nothing was to move, however long. */
export interface SpeedHistory {
  /** The last minute of its runs since the app was opened, a sample a second. */
  readonly recent: readonly (number | null)[]
  /** Its whole life, over restarts, at most 120 samples. */
  readonly life: readonly (number | null)[]
  /** What a sample of `life` stands for, milliseconds. */
  readonly lifeStepMs: number
}

/**
 * Why a file below a dropped folder is left out. `special`: a socket, device or pipe. `in-cloud`: what stands for a file
 * that iCloud alone has. `name`: it can’t be a key.
 */
export const SKIP_REASONS = ['system-file', 'link', 'special', 'in-cloud', 'unreadable', 'name'] as const

export type SkipReason = (typeof SKIP_REASONS)[number]

export interface SkippedFile {
  /** Absolute. */
  readonly path: string
  readonly reason: SkipReason
}

/** How many are left out, and the first of them. */
export interface SkippedSums {
  readonly count: number
  /** Those of them that were wanted. */
  readonly unreadable: number
  readonly named: readonly SkippedFile[]
}

/** An object of a folder and its file, below the folder. */
export interface RenamedItem {
  readonly key: string
  readonly path: string
}

/** One line of a transfer's history, in plain words. */
export interface TransferLogEntry {
  readonly atMs: number
  readonly text: string
  readonly requestId: string | null
  /** How often it happened in a row, `atMs` being the last time; left out: once. */
  readonly times?: number | undefined
}
