// A transfer as the window sees it, made from its record and its run.

import { basename, dirname, posix } from 'node:path'
import { SEGMENT_SIZE_BYTES } from '../../../shared/limits.ts'
import { compareNames } from '../../../shared/name-order.ts'
import { NO_LIMITS, type RateLimits } from '../../../shared/settings.ts'
import { MILESTONES } from '../../../shared/transfer/milestones.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type {
  ItemFailure,
  SkippedSums,
  TransferDetails,
  TransferItems,
  TransferRow,
  WaitState,
} from '../../../shared/transfer/transfer.ts'
import type { TransferRecord, UploadFolderRecord } from '../core/records.ts'
import { createPartsMap, type PartsMap } from './parts-map.ts'
import { directionOf, isOfMany, isOver, shownRate, sizeOf, type TransferEntry } from './transfer-entry.ts'
import { NOTHING_MOVED, sumOf, type MovedTotals } from './transfer-history.ts'

/** Longer technical details are cut to make sure that a row always fits a delta. */
const MAX_SHOWN_DETAIL_CHARS = 2000

export const NOTHING_COUNTED: TransferItems = { done: 0, total: 0, failed: 0, isCounted: false }

/** The path of the transfer's file or folder; of several, the folder that they are in. */
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
  if (isOfKey) return posix.basename(record.key) || basename(localPath)
  return basename(record.direction === 'upload-folder' ? (record.sourcePaths[0] ?? '') : localPath)
}

/** The row as the window shows it. `limits` are those that the transfer shares with others. */
export function toRow(entry: TransferEntry, limits: RateLimits = NO_LIMITS): TransferRow {
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
    position: record.position,
    name: nameOf(record, localPath),
    placeId: location.kind === 'place' ? location.placeId : null,
    bucket: location.kind === 'place' ? location.bucket : '',
    key: location.kind === 'place' ? record.key : withoutQuery(location.url),
    localPath,
    status: state.status,
    sizeBytes,
    confirmedBytes,
    inFlightBytes: atMost(sizeBytes === null ? null : sizeBytes - confirmedBytes, progress?.inFlightBytes),
    bytesPerSecond: moves ? shownRate(entry, progress, limits) : 0,
    etaSeconds:
      moves && sizeBytes !== null ? progress.etaSeconds(sizeBytes - confirmedBytes - progress.inFlightBytes) : null,
    ...units,
    // Once the run's signal is aborted, nothing is given time to end.
    finishingUnits: entry.controller?.signal.aborted === false ? (progress?.finishingUnits ?? null) : null,
    ...(isOfMany(record) ? { items: progress?.counted ?? record.counts ?? NOTHING_COUNTED } : {}),
    ...(record.direction === 'upload-folder' && record.sourcePaths.length > 1
      ? { others: record.sourcePaths.length - 1 }
      : {}),
    ...(record.direction === 'download'
      ? { keepsNothing: progress?.told.keepsNothing === true && !isOver(entry) }
      : {}),
    wait: waitOf(entry),
    error: state.status === 'failed' && record.error !== null ? shorten(record.error) : null,
    verification: record.verification,
    ...(record.proofLack === undefined ? {} : { proofLack: record.proofLack }),
    createdAtMs: record.createdAtMs,
    finishedAtMs: record.finishedAtMs,
    activeMs: endedMsOf(entry) + wholeSeconds(progress?.activeMs ?? 0),
    limitBytesPerSecond: record.limitBytesPerSecond ?? null,
  }
}

/** What a row waits for. One that is being stopped waits for nothing but its drive, as calls to files have no end. */
function waitOf({ state, progress }: TransferEntry): WaitState | null {
  const wait = progress?.wait ?? null
  if (state.status === 'waiting') return wait
  return state.status === 'pausing' && wait?.reason === 'drive-unresponsive' ? wait : null
}

/** The id of the multipart upload that the transfer continues; null when there is none, or none yet. */
export function uploadIdOf({ record, progress }: TransferEntry): string | null {
  return progress?.told.uploadId ?? (record.direction === 'upload' ? record.uploadId : null)
}

/** The first files that failed in the latest run of a transfer of many, by name; empty for a transfer of one. */
export function failuresOf({ record, progress }: TransferEntry): readonly ItemFailure[] {
  return isOfMany(record) ? byName(progress?.namedFailures ?? record.failures ?? [], ({ key }) => key) : []
}

function byName<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
  return items.toSorted((one, other) => compareNames(nameOf(one), nameOf(other)))
}

/** What the inspector shows beyond the row. */
export function toDetails(entry: TransferEntry): TransferDetails {
  const { record, progress, history } = entry
  const facts = progress?.told ?? {}
  const map = progress?.map ?? wholeMapOf(entry)
  const cells = map?.cells() ?? { unitsPerCell: 1, cells: [] }
  return {
    id: record.id,
    uploadId: uploadIdOf(entry),
    etag: facts.etag ?? (record.direction === 'download' ? (record.identity?.etag ?? null) : null),
    unitSizeBytes: map?.unitSizeBytes ?? 0,
    ...cells,
    log: [{ atMs: record.createdAtMs, text: MILESTONES.added, requestId: null }, ...(history?.entries ?? [])],
    droppedBytes: progress?.droppedBytes ?? 0,
    ...(isOfMany(record)
      ? {
          failures: failuresOf(entry),
          renamed: byName(progress?.renamedItems ?? [], ({ key }) => key),
          longPaths: byName(progress?.longPathsFound ?? [], (path) => path),
        }
      : {}),
    ...(record.direction === 'upload-folder' ? { skipped: skippedOf(record) } : {}),
    ...speedsOf(entry),
  }
}

function skippedOf({ planned }: UploadFolderRecord): SkippedSums | null {
  return planned === null ? null : { ...planned.skipped, named: byName(planned.skipped.named, ({ path }) => path) }
}

function totalsOf({ progress, history }: TransferEntry): MovedTotals {
  return sumOf(history?.totals ?? NOTHING_MOVED, progress?.totals ?? NOTHING_MOVED)
}

/** How long its ended runs took, milliseconds. Only the history has a run that a crash cut short. */
export function endedMsOf(entry: TransferEntry): number {
  return Math.max(entry.record.activeMs, Math.round(totalsOf(entry).activeMs - (entry.progress?.activeMs ?? 0)))
}

function speedsOf(
  entry: TransferEntry,
): Pick<TransferDetails, 'averageBytesPerSecond' | 'peakBytesPerSecond' | 'speed'> {
  const { movedBytes, activeMs, peakBytesPerSecond } = totalsOf(entry)
  const { history } = entry
  const { samples, stepMs } = history?.life ?? { samples: [], stepMs: 1000 }
  return {
    // No mean may exceed the peak, as it would by bytes that came before a limit took hold.
    averageBytesPerSecond: activeMs > 0 ? Math.min(peakBytesPerSecond, Math.round((movedBytes * 1000) / activeMs)) : 0,
    peakBytesPerSecond,
    speed: { recent: history?.recent ?? [], life: samples, lifeStepMs: stepMs },
  }
}

function unitsOf(entry: TransferEntry): {
  readonly unitsDone: number
  readonly unitsTotal: number
} {
  const { state, progress } = entry
  const unitsTotal = progress?.map?.unitCount ?? wholeLayoutOf(entry)?.count ?? 0
  return { unitsDone: state.status === 'completed' ? unitsTotal : (progress?.map?.doneCount ?? 0), unitsTotal }
}

/** How a finished object was cut, from its record: its map is not kept over a restart. */
function wholeLayoutOf({ record, state }: TransferEntry): { count: number; unitSizeBytes: number } | null {
  if (state.status !== 'completed') return null
  if (record.direction === 'upload' && record.plan !== null) {
    return { count: Math.max(record.plan.partCount, 1), unitSizeBytes: record.plan.partSizeBytes }
  }
  if (record.direction !== 'download' || record.identity === null) return null
  return { count: Math.ceil(record.identity.sizeBytes / SEGMENT_SIZE_BYTES), unitSizeBytes: SEGMENT_SIZE_BYTES }
}

function wholeMapOf(entry: TransferEntry): PartsMap | null {
  const layout = wholeLayoutOf(entry)
  if (layout === null) return null
  const map = createPartsMap(layout.count, layout.unitSizeBytes)
  for (let index = 0; index < map.unitCount; index += 1) map.set(index, 'done')
  return map
}

/** Bytes that are fetched twice must not show as more than there are. */
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

/** A link's query may hold a signature, so it is not shown. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
