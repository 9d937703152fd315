import { rangeLength } from '../../../shared/byte-range.ts'
import { SEGMENT_SIZE_BYTES } from '../../../shared/limits.ts'
import type { RateLimits } from '../../../shared/settings.ts'
import {
  isFinal,
  type TransferDirection,
  type TransferId,
  type TransferRow,
} from '../../../shared/transfer/transfer.ts'
import { joined, splitAtUnits } from '../core/byte-ranges.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { FolderRecord, TransferRecord, UploadFolderRecord } from '../core/records.ts'
import { lineKeyOf, type OnLine } from '../line/line-room.ts'
import { stateOf } from './durable-state.ts'
import { createPartsMap } from './parts-map.ts'
import type { RunControl } from './run-control.ts'
import type { FoundProgress, TransferProgress } from './transfer-progress.ts'
import type { TransferHistory } from './transfer-history.ts'
import type { TransferState } from './transfer-state.ts'

/** One transfer inside the engine. */
export interface TransferEntry extends Schedulable, OnLine {
  /** Queue order, ascending. */
  readonly position: number
  /** The record as it is, or is about to be, on disk. */
  record: TransferRecord
  /** Names of the record's fields that are not known to be on disk yet. */
  readonly unwritten: Set<string>
  state: TransferState
  /** Scheme, name and port that its latest run talks to; null when it has not run. */
  host: string | null
  /** Null until the transfer is begun. */
  progress: TransferProgress | null
  /** Null until something is added to it or it is asked for. */
  history: TransferHistory | null
  /** Whether the transfer was there when the process began, as its history may be, too. */
  readonly isKept: boolean
  /** Whether it was under way when the previous process ended without a word. */
  readonly wasCut: boolean
  /** Size of an upload's file when it was last looked at, to show before it is planned. */
  sourceSizeBytes: number | null
  /** Stops the run; null while there is none. */
  controller: RunControl | null
  /** Settles when the run, or the cleaning up after it, is over; null while there is none. */
  busy: Promise<void> | null
  /** Of a folder: the only failed keys that the next run tries again; null when it tries all of them. */
  retried: ReadonlySet<string> | null
}

/** @param origin whether the transfer was there when the process began. */
export function createEntry(record: TransferRecord, origin: 'kept' | 'new'): TransferEntry {
  const isKept = origin === 'kept'
  return {
    id: record.id,
    get position() {
      return this.record.position
    },
    get exclusiveKey() {
      return exclusiveKeyOf(this.record)
    },
    get lineKey() {
      return lineKeyOf(this.record.location, directionOf(this.record))
    },
    get leftBytes() {
      return leftBytesOf(this)
    },
    host: null,
    record,
    unwritten: new Set(),
    state: stateOf(record),
    progress: null,
    history: null,
    isKept,
    wasCut: isKept && record.status === 'running',
    sourceSizeBytes: null,
    controller: null,
    busy: null,
    retried: null,
  }
}

/** Reads from the checkpoints what is already there. */
export async function findProgress(record: TransferRecord, checkpoints: CheckpointStore): Promise<FoundProgress> {
  if (record.direction === 'upload') {
    const parts = await checkpoints.parts(record.id)
    const map = record.plan === null ? null : createPartsMap(record.plan.partCount, record.plan.partSizeBytes)
    for (const part of parts) map?.set(part.partNumber - 1, 'done')
    return { confirmedBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0), map }
  }
  if (isOfMany(record)) {
    return { confirmedBytes: record.counts?.doneBytes ?? 0, map: null, done: record.counts?.done ?? 0 }
  }
  const ranges = await checkpoints.ranges(record.id)
  const sizeBytes = record.identity?.sizeBytes ?? 0
  const map = createPartsMap(Math.ceil(sizeBytes / SEGMENT_SIZE_BYTES), SEGMENT_SIZE_BYTES)
  for (const range of splitAtUnits(joined(ranges), SEGMENT_SIZE_BYTES)) {
    const index = Math.floor(range.start / SEGMENT_SIZE_BYTES)
    const lengthBytes = Math.min(SEGMENT_SIZE_BYTES, sizeBytes - index * SEGMENT_SIZE_BYTES)
    map.set(index, rangeLength(range) === lengthBytes ? 'done' : 'begun')
  }
  return { confirmedBytes: ranges.reduce((sum, range) => sum + rangeLength(range), 0), map }
}

/** Whether checkpoints can say that something is already there. */
export function isBegun(record: TransferRecord): boolean {
  switch (record.direction) {
    case 'upload':
      return record.plan !== null
    case 'download':
      return record.identity !== null
    case 'folder':
    case 'upload-folder':
      return record.counts !== null
  }
}

/** Whether the transfer may have bytes for a progress bar to show. */
export function hasProgress(record: TransferRecord): boolean {
  return isBegun(record) && record.status !== 'completed'
}

/** Which way the bytes go. */
export function directionOf({ direction }: TransferRecord): TransferDirection {
  return direction === 'upload' || direction === 'upload-folder' ? 'upload' : 'download'
}

/** Whether the transfer has ended, or is about to: a fresh link could continue nothing. */
export function isEnded({ state }: TransferEntry): boolean {
  return isFinal(state.status) || (state.status === 'pausing' && state.afterStop.status === 'canceled')
}

/** Whether the transfer waits for its turn, or for a person to resume it. */
export function mayStart({ state, busy }: TransferEntry): boolean {
  return busy === null && (state.status === 'queued' || state.status === 'paused')
}

/** Whether the transfer is already stopping. */
export function isPausing({ state }: TransferEntry): boolean {
  return state.status === 'pausing'
}

/** Whether nothing more happens to the transfer by itself. */
export function isOver({ state }: TransferEntry): boolean {
  return state.status === 'failed' || isFinal(state.status)
}

/** Whether a download's partial file may be on disk. */
export function hasPartialFile({ record }: TransferEntry): boolean {
  return record.direction === 'download' && record.partialPath !== null
}

/** Whether the row stands for many objects. */
export function isOfMany(record: TransferRecord): record is FolderRecord | UploadFolderRecord {
  return record.direction === 'folder' || record.direction === 'upload-folder'
}

/** The rate to show. Never above a limit, though buffers that were full when it was set still empty faster. */
export function shownRate(entry: TransferEntry, { rate }: TransferProgress, limits: RateLimits): number {
  return Math.round(Math.min(rate.bytesPerSecond, lowestLimit(entry, limits)))
}

/** The lowest limit in force for a transfer, bytes a second; Infinity when there is none. */
export function lowestLimit({ record }: TransferEntry, limits: RateLimits): number {
  const { totalBytesPerSecond, uploadBytesPerSecond, downloadBytesPerSecond } = limits
  const ofDirection = directionOf(record) === 'upload' ? uploadBytesPerSecond : downloadBytesPerSecond
  return Math.min(...[record.limitBytesPerSecond, ofDirection, totalBytesPerSecond].map((limit) => limit ?? Infinity))
}

/** How much is left to transfer; null when unknown, and for folder downloads. */
function leftBytesOf(entry: TransferEntry): number | null {
  const { record, progress } = entry
  const sizeBytes = record.direction === 'folder' ? null : sizeOf(entry)
  return sizeBytes === null ? null : Math.max(0, sizeBytes - (progress?.confirmedBytes ?? 0))
}

/** A transfer as the scheduler sees it. */
export interface Schedulable {
  readonly id: TransferId
  /** Two transfers with the same key never run at once. */
  readonly exclusiveKey: string
}

/**
 * What a transfer writes to: an object's key or a file. Paths are compared without case and composition, as many file
 * systems do; transfers whose paths differ only in these run one after the other.
 */
export function exclusiveKeyOf(record: TransferRecord): string {
  if (record.direction === 'download' || record.direction === 'folder')
    return `file ${record.targetPath.normalize('NFC').toLowerCase()}`
  const { location } = record
  const place = location.kind === 'place' ? `${location.placeId} ${location.bucket}` : location.url
  if (record.direction === 'upload-folder') return `objects ${place} ${record.key} ${record.sourcePaths.join('\n')}`
  return `object ${place} ${record.key}`
}

/** The bytes of all that the transfer moves, as far as known; null when unknown. */
export function sizeOf({ record, progress, sourceSizeBytes }: TransferEntry): TransferRow['sizeBytes'] {
  if (progress !== null && progress.sizeBytes !== null) return progress.sizeBytes
  if (record.direction === 'download') return record.identity?.sizeBytes ?? null
  if (record.direction === 'upload-folder') return record.counts?.totalBytes ?? record.planned?.sizeBytes ?? null
  if (record.direction === 'folder') return record.counts?.totalBytes ?? null
  return record.source?.sizeBytes ?? record.intent?.sizeBytes ?? sourceSizeBytes
}
