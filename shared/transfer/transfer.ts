// A transfer as every process knows it: its row, states and details. Types, and the constants they are made of.

import type { PlaceId } from '../place/place.ts'
import type { WaitCause } from '../wait-cause.ts'
import type { TransferErrorInfo } from './transfer-error.ts'

/** The UUID of one row of the queue. */
export type TransferId = string

export type TransferDirection = 'upload' | 'download'

/**
 * What a transfer is doing. `waiting` ends by itself; `failed` needs a person and keeps what is already transferred.
 * `pausing` lasts until the last bytes in flight are durable or dropped.
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
export type WaitReason = 'network' | 'proxy' | 'server-busy' | 'server-error' | DiskReason | DriveReason
/** Reasons to wait that concern a disk that takes no writes: the target's, or the one that holds the list of transfers. */
export type DiskReason = 'disk-full' | 'target-unwritable' | 'state-unwritable'
/** Reasons to wait that concern the transfer's files or their drive. */
export type DriveReason = 'source-missing' | 'drive-unresponsive'

/** What a waiting transfer waits for, and until when. */
export interface WaitState {
  readonly reason: WaitReason
  /** The outcome of the last request; null or left out: no request caused the wait. */
  readonly cause?: WaitCause | null
  /** When the next try starts, milliseconds since the epoch; null when an event ends the wait. */
  readonly retryAtMs: number | null
  /** The number of the next try, 1 or more. */
  readonly attempt: number
  /** How many more bytes must be free on the full disk; left out: not known, or no disk is full. */
  readonly lackingBytes?: number
  /** Whether the server named the time (Retry-After), which then holds for the next request, too. */
  readonly isAsked?: boolean
}

/**
 * What proved that a finished copy equals its origin. `size-only`: nothing more could be proven; `unproven`: not even
 * the size was known.
 */
export type Verification = 'etag-md5' | 'etag-multipart' | 'digest' | 'crc' | 'evidence' | 'size-only' | 'unproven'

/**
 * Why no more than the size was checked. `parts-untold`: the service doesn't say how the object was cut into parts;
 * `parts-uneven`: finding that out would take too many requests; `parts-differ`: it says so, but these parts don't give
 * the service's hash; `etag-differs`, `checksum-differs`: the same bytes came twice, but the service's value differs;
 * `left-alone`: nothing was transferred.
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

/** A folder held no files. */
export interface NothingToCheck {
  readonly verification: null
  readonly lack?: never
}

/** What a check of a finished copy found. */
export interface Proof {
  readonly verification: Verification
  /** Left out when more than the size was checked, or the reason isn't known. */
  readonly lack?: ProofLack
}

/** The state of one part (upload) or segment (download) on the parts map. `begun`: some of its bytes are there. */
export type UnitState = 'waiting' | 'begun' | 'active' | 'done' | 'found' | 'retrying' | 'failed'

/** One row of the queue, as the window shows it. Immutable: a changed row is a new object. */
export interface TransferRow {
  readonly id: TransferId
  readonly direction: TransferDirection
  /** Queue order, ascending. */
  readonly position: number
  /** The file name that names the row, of several files that of the first. `rowName` makes it displayable. */
  readonly name: string
  /** The place of the object; null for a plain link. */
  readonly placeId: PlaceId | null
  readonly bucket: string
  /** The object's key, or the link without its query. */
  readonly key: string
  /** The absolute path of an upload's source or a download's target. */
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
  /** Parts or segments: how many are confirmed, and how many there are. 0 of 0 while unknown. */
  readonly unitsDone: number
  readonly unitsTotal: number
  /** While stopping: the number of parts, or whole files of a folder, that may finish first; null: none. */
  readonly finishingUnits: number | null
  /** Set if the row is a folder: the state of its objects. Null or left out: the row is one object. */
  readonly items?: TransferItems | null
  /** How many files or folders were dropped together with the first. `localPath` is then the folder of the first. */
  readonly others?: number | undefined
  /** Nothing tells which version its bytes belong to, so if it stops, none of them are kept and it starts over. */
  readonly keepsNothing?: boolean
  /** What a waiting transfer waits for, or the drive that keeps one from stopping. */
  readonly wait: WaitState | null
  readonly error: TransferErrorInfo | null
  /** Set once completed. */
  readonly verification: Verification | null
  /** Why it is `size-only`, if that is known. */
  readonly proofLack?: ProofLack
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
  /** Time spent transferring, milliseconds. Waiting does not count. */
  readonly activeMs: number
  /** The bandwidth limit of this transfer, bytes a second; null: only limits that it shares with others. */
  readonly limitBytesPerSecond: number | null
}

/** The progress of a folder's objects. A new value whenever a number changes. */
export interface TransferItems {
  /** Downloaded, or there already and proven equal, or skipped as asked. */
  readonly done: number
  /** How many of `done` were already there with the same content; left out: none. */
  readonly alreadyThere?: number | undefined
  /** How many of `done` were skipped as asked because something else has their name; left out: none. */
  readonly skipped?: number | undefined
  readonly total: number
  readonly failed: number
  /** False while the folder is still being listed, and `total` and the row's size grow. */
  readonly isCounted: boolean
}

/** Why one object of a folder was not transferred. */
export interface ItemFailure {
  readonly key: string
  readonly error: TransferErrorInfo
}

/** Whether a transfer has ended for good. `running` is a checkpoint's word for a transfer that was under way. */
export function isFinal(status: TransferStatus | 'running'): boolean {
  return status === 'completed' || status === 'canceled'
}

export function isOfDisk(reason: WaitReason): reason is DiskReason {
  return reason === 'disk-full' || reason === 'target-unwritable' || reason === 'state-unwritable'
}

export function isOfDrive(reason: WaitReason): reason is DriveReason {
  return reason === 'source-missing' || reason === 'drive-unresponsive'
}

/**
 * Whether the transfer's local file or folder is complete, so that other programs can use it. Of a batch, only the
 * folder of its files is known, which may contain anything else.
 */
export function isFinishedFile({ status, others }: TransferRow): boolean {
  return status === 'completed' && others === undefined
}

/** What the inspector shows of one transfer beyond its row. */
export interface TransferDetails {
  readonly id: TransferId
  readonly uploadId: string | null
  readonly etag: string | null
  /** The size of a part or segment in bytes; the last may be smaller. 0 while unknown. */
  readonly unitSizeBytes: number
  /** How many parts or segments one cell of the map stands for, 1 or more. */
  readonly unitsPerCell: number
  readonly cells: readonly UnitState[]
  /** Latest last, at most 101 entries. The first says when the transfer was added. */
  readonly log: readonly TransferLogEntry[]
  /** Bytes in flight that were dropped when the last run stopped. */
  readonly droppedBytes: number
  /** The first 100 objects of a folder that the last run failed to transfer, by name. */
  readonly failures?: readonly ItemFailure[]
  /** The first 100 objects of a folder whose files could not get the same name. */
  readonly renamed?: readonly RenamedItem[]
  /** The absolute paths of the first 100 files of a folder that are too long for most Windows programs. */
  readonly longPaths?: readonly string[]
  /** What a folder upload leaves out, naming the first 100; null or left out: not known. */
  readonly skipped?: SkippedSums | null
  readonly averageBytesPerSecond: number
  readonly peakBytesPerSecond: number
  readonly speed: SpeedHistory
}

/** How fast a transfer was, bytes a second, oldest first. A null stands for a stretch in which nothing was to move. */
export interface SpeedHistory {
  /** The last minute of its runs since the app was opened, one sample per second. */
  readonly recent: readonly (number | null)[]
  /** Its whole life, across restarts, at most 120 samples. */
  readonly life: readonly (number | null)[]
  /** The time that a sample of `life` covers, milliseconds. */
  readonly lifeStepMs: number
}

/**
 * Why a file below a dropped folder is left out. `special`: a socket, device or pipe. `in-cloud`: a placeholder for a
 * file that only iCloud has. `name`: its name can’t be a key.
 */
export const SKIP_REASONS = ['system-file', 'link', 'special', 'in-cloud', 'unreadable', 'name'] as const

export type SkipReason = (typeof SKIP_REASONS)[number]

export interface SkippedFile {
  /** Absolute. */
  readonly path: string
  readonly reason: SkipReason
}

/** How many files are left out, and the first of them. */
export interface SkippedSums {
  readonly count: number
  /** How many of them were meant to be uploaded but can't be. */
  readonly unreadable: number
  readonly named: readonly SkippedFile[]
}

/** An object of a folder, and the path of its file below the folder. */
export interface RenamedItem {
  readonly key: string
  readonly path: string
}

/** One line of a transfer's history, in plain words. */
export interface TransferLogEntry {
  readonly atMs: number
  readonly text: string
  readonly requestId: string | null
  /** How often it happened in a row, the last time at `atMs`; left out: once. */
  readonly times?: number | undefined
}
