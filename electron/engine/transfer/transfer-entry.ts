import { basename, dirname } from 'node:path'
import { SEGMENT_SIZE_BYTES } from '../../../shared/limits.ts'
import { rangeLength } from '../../../shared/byte-range.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import {
  isFinal,
  type TransferDetails,
  type TransferDirection,
  type TransferItems,
  type TransferRow,
} from '../../../shared/transfer/transfer.ts'
import type {
  CheckpointStore,
  DurableStatus,
  FolderRecord,
  TransferRecord,
  UploadFolderRecord,
} from '../core/records.ts'
import { lineKeyOf, type OnLine } from '../line/line-room.ts'
import { createPartsMap } from './parts-map.ts'
import type { RunControl } from './run-control.ts'
import { exclusiveKeyOf, type Schedulable } from '../queue/scheduler.ts'
import type { FoundProgress, TransferProgress } from './transfer-progress.ts'
import { QUEUED, type TransferState } from './transfer-state.ts'

/** Longer technical details are cut, so that a row always fits a delta. */
const MAX_SHOWN_DETAIL_CHARS = 2000

const NOTHING_COUNTED: TransferItems = { done: 0, total: 0, failed: 0, isCounted: false }

/** One transfer inside the engine. */
export interface TransferEntry extends Schedulable, OnLine {
  readonly position: number
  /** As it is, or is about to be, on disk. */
  record: TransferRecord
  state: TransferState
  /** Scheme, name and port that its latest run talks to; null: it has not run. */
  host: string | null
  /** Null until it is begun. */
  progress: TransferProgress | null
  /** Size of an upload's file when it was last looked at, to show before it is planned. */
  sourceSizeBytes: number | null
  /** Ends the run; null while there is none. */
  controller: RunControl | null
  /** Settles when the run, or the cleaning up after it, is over; null while there is none. */
  busy: Promise<void> | null
  /** What is transferred is dropped before the next run. */
  startsOver: boolean
}

export function createEntry(record: TransferRecord): TransferEntry {
  return {
    id: record.id,
    position: record.position,
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
    state: stateOf(record.status),
    progress: null,
    sourceSizeBytes: null,
    controller: null,
    busy: null,
    startsOver: false,
  }
}

/** What ran when the process ended goes on by itself. */
function stateOf(status: DurableStatus): TransferState {
  return status === 'running' ? QUEUED : { ...QUEUED, status }
}

/** The status to keep on disk: where the transfer will be once everything asked for has happened. */
export function durableStatus({ status, afterStop }: TransferState): DurableStatus {
  switch (status) {
    case 'preparing':
    case 'transferring':
    case 'waiting':
    case 'verifying':
    case 'completing':
      return 'running'
    case 'pausing':
      // Canceled is written after what was transferred is discarded, or nobody would discard it after a crash.
      return afterStop === 'canceled' ? 'running' : afterStop
    default:
      return status
  }
}

/** What the claims on disk say is already there. */
export async function findProgress(record: TransferRecord, checkpoints: CheckpointStore): Promise<FoundProgress> {
  if (record.direction === 'upload') {
    const parts = await checkpoints.parts(record.id)
    const map = record.plan === null ? null : createPartsMap(record.plan.partCount, record.plan.partSizeBytes)
    for (const part of parts) map?.set(part.partNumber - 1, 'done')
    return { confirmedBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0), map }
  }
  if (isOfMany(record)) return { confirmedBytes: record.counts?.doneBytes ?? 0, map: null }
  const ranges = await checkpoints.ranges(record.id)
  const sizeBytes = record.identity?.sizeBytes ?? 0
  const map = createPartsMap(Math.ceil(sizeBytes / SEGMENT_SIZE_BYTES), SEGMENT_SIZE_BYTES)
  for (const { start, end } of ranges) {
    const last = end === sizeBytes ? map.unitCount : Math.floor(end / SEGMENT_SIZE_BYTES)
    for (let index = Math.ceil(start / SEGMENT_SIZE_BYTES); index < last; index += 1) map.set(index, 'done')
  }
  return { confirmedBytes: ranges.reduce((sum, range) => sum + rangeLength(range), 0), map }
}

/** Whether claims can exist. */
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

/** Which way the bytes go. */
export function directionOf({ direction }: TransferRecord): TransferDirection {
  return direction === 'upload' || direction === 'upload-folder' ? 'upload' : 'download'
}

/** Nothing that a fresh link could go on with. */
export function isEnded({ state }: TransferEntry): boolean {
  return isFinal(state.status) || (state.status === 'pausing' && state.afterStop === 'canceled')
}

/** It is stopping already. */
export function isPausing({ state }: TransferEntry): boolean {
  return state.status === 'pausing'
}

/** Nothing more happens to it by itself. */
export function isOver({ state }: TransferEntry): boolean {
  return state.status === 'failed' || isFinal(state.status)
}

/** Whether a download's partial file may be on disk. */
export function hasPartialFile({ record }: TransferEntry): boolean {
  return record.direction === 'download' && record.partialPath !== null
}

/** Whether the row stands for many objects. */
function isOfMany(record: TransferRecord): record is FolderRecord | UploadFolderRecord {
  return record.direction === 'folder' || record.direction === 'upload-folder'
}

/** Where its file or folder is; of several, the folder that they are in. */
function localPathOf(record: TransferRecord): string {
  switch (record.direction) {
    case 'upload':
      return record.sourcePath
    case 'upload-folder': {
      const [first = '', ...others] = record.sourcePaths
      return others.length === 0 ? first : dirname(first)
    }
    case 'download':
    case 'folder':
      return record.targetPath
  }
}

function nameOf(record: TransferRecord, localPath: string): string {
  const isOfKey = record.direction === 'folder' || (record.direction === 'upload' && record.isPartsOnly === true)
  if (isOfKey) return basename(record.key) || basename(localPath)
  if (record.direction !== 'upload-folder') return basename(localPath)
  const [first = '', ...others] = record.sourcePaths
  return others.length === 0 ? basename(first) : `${basename(first)} and ${others.length} more`
}

/** The row as the window shows it. */
export function toRow(entry: TransferEntry): TransferRow {
  const { record, state, progress } = entry
  const sizeBytes = sizeOf(entry)
  const confirmedBytes = state.status === 'completed' ? (sizeBytes ?? 0) : atMost(sizeBytes, progress?.confirmedBytes)
  const { location } = record
  const localPath = progress?.told.localPath ?? localPathOf(record)
  const moves = progress !== null && (state.status === 'transferring' || state.status === 'pausing')
  const units = unitsOf(entry)
  return {
    id: record.id,
    direction: directionOf(record),
    name: nameOf(record, localPath),
    placeId: location.kind === 'place' ? location.placeId : null,
    bucket: location.kind === 'place' ? location.bucket : '',
    key: location.kind === 'place' ? record.key : withoutQuery(location.url),
    localPath,
    status: state.status,
    sizeBytes,
    confirmedBytes,
    inFlightBytes: atMost(sizeBytes === null ? null : sizeBytes - confirmedBytes, progress?.inFlightBytes),
    bytesPerSecond: moves ? shownRate(entry, progress) : 0,
    etaSeconds:
      moves && sizeBytes !== null ? progress.etaSeconds(sizeBytes - confirmedBytes - progress.inFlightBytes) : null,
    ...units,
    // Once its signal is aborted nothing is let end any more.
    finishingUnits: entry.controller?.signal.aborted === false ? (progress?.finishingUnits ?? null) : null,
    ...(isOfMany(record) ? { items: progress?.counted ?? record.counts ?? NOTHING_COUNTED } : {}),
    wait: state.status === 'waiting' ? (progress?.wait ?? null) : null,
    error: state.status === 'failed' && record.error !== null ? shorten(record.error) : null,
    verification: record.verification,
    createdAtMs: record.createdAtMs,
    finishedAtMs: record.finishedAtMs,
    activeMs: record.activeMs + wholeSeconds(progress?.activeMs ?? 0),
    limitBytesPerSecond: record.limitBytesPerSecond ?? null,
  }
}

/** What the inspector shows beyond the row. */
export function toDetails(entry: TransferEntry): TransferDetails {
  const { record, progress } = entry
  const facts = progress?.told ?? {}
  const cells = progress?.map?.cells() ?? { unitsPerCell: 1, cells: [] }
  return {
    id: record.id,
    uploadId: facts.uploadId ?? (record.direction === 'upload' ? record.uploadId : null),
    etag: facts.etag ?? (record.direction === 'download' ? (record.identity?.etag ?? null) : null),
    unitSizeBytes: progress?.map?.unitSizeBytes ?? 0,
    ...cells,
    log: [...(progress?.history ?? [])],
    droppedBytes: progress?.droppedBytes ?? 0,
    ...(isOfMany(record)
      ? { failures: progress?.named ?? record.failures ?? [], renamed: progress?.renamedItems ?? [] }
      : {}),
    ...(record.direction === 'upload-folder' ? { skipped: record.planned?.skipped ?? null } : {}),
    averageBytesPerSecond: progress?.averageBytesPerSecond ?? 0,
    peakBytesPerSecond: Math.round(progress?.rate.peakBytesPerSecond ?? 0),
  }
}

/** Never above its limit: what buffers held when that was set shows a moment longer. */
function shownRate({ record }: TransferEntry, { rate }: TransferProgress): number {
  return Math.round(Math.min(rate.bytesPerSecond, record.limitBytesPerSecond ?? Infinity))
}

function sizeOf({ record, progress, sourceSizeBytes }: TransferEntry): TransferRow['sizeBytes'] {
  if (progress !== null && progress.sizeBytes !== null) return progress.sizeBytes
  if (record.direction === 'download') return record.identity?.sizeBytes ?? null
  if (record.direction === 'upload-folder') return record.counts?.totalBytes ?? record.planned?.sizeBytes ?? null
  if (record.direction === 'folder') return record.counts?.totalBytes ?? null
  return record.source?.sizeBytes ?? record.intent?.sizeBytes ?? sourceSizeBytes
}

/** Null: unknown, or a folder that is still being counted. */
function leftBytesOf(entry: TransferEntry): number | null {
  const { record, progress } = entry
  const sizeBytes = record.direction === 'folder' ? null : sizeOf(entry)
  return sizeBytes === null ? null : Math.max(0, sizeBytes - (progress?.confirmedBytes ?? 0))
}

function unitsOf({ state, progress }: TransferEntry): { readonly unitsDone: number; readonly unitsTotal: number } {
  const unitsTotal = progress?.map?.unitCount ?? 0
  return { unitsDone: state.status === 'completed' ? unitsTotal : (progress?.map?.doneCount ?? 0), unitsTotal }
}

/** What is fetched twice never shows as more than there is. */
function atMost(limit: number | null, bytes = 0): number {
  return limit === null ? bytes : Math.min(limit, bytes)
}

/** Rows change with time by the second, not by the frame. */
function wholeSeconds(durationMs: number): number {
  return Math.floor(durationMs / 1000) * 1000
}

function shorten(error: TransferErrorInfo): TransferErrorInfo {
  return error.detail.length <= MAX_SHOWN_DETAIL_CHARS
    ? error
    : { ...error, detail: `${error.detail.slice(0, MAX_SHOWN_DETAIL_CHARS)}…` }
}

/** A link's query can be a signature: it is not shown. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
