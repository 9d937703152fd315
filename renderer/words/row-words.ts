// The texts of a transfer's row, by state and cause. Pure.

import { formatEta, speakEta } from '../../shared/format-eta.ts'
import { assertNever } from '../../shared/assert.ts'
import { lackWords } from '../../shared/transfer/proof-words.ts'
import { waitWords } from '../../shared/transfer/wait-words.ts'
import { finishingWords } from '../../shared/transfer/finishing-words.ts'
import { describeError, type ErrorContext } from '../../shared/transfer/error-words.ts'
import { TRIES_BEFORE_LONG_WAIT } from '../../shared/limits.ts'
import type { Column } from '../../shared/transfer/queue-view.ts'
import type { FolderFile } from '../../shared/transfer/folder-file.ts'
import type { Place } from '../../shared/place/place.ts'
import type {
  ProofLack,
  SkipReason,
  TransferItems,
  TransferRow,
  Verification,
  WaitState,
} from '../../shared/transfer/transfer.ts'
import {
  formatBytes,
  formatCount,
  formatCountdown,
  formatDuration,
  formatProgress,
  formatRate,
  percentOf,
  plural,
} from './format.ts'

/** What the second line may need beyond the row. */
export interface WordsContext {
  readonly nowMs: number
  readonly placeName: string
  /** Queued transfers before this one. */
  readonly ahead: number
  /** Why a pausing transfer stops, when it is not to stay paused. */
  readonly stoppingFor: 'cancel' | 'start-over' | 'resume' | null
  /** True after a state has lasted ten seconds. */
  readonly isLong: boolean
}

/** The second line of a row: what it is doing and why, in plain words. Pure. */
export function describeRow(row: TransferRow, context: WordsContext): string {
  switch (row.status) {
    case 'queued':
      return context.ahead === 0 ? 'Waiting · starts next' : `Waiting · ${formatCount(context.ahead)} ahead`
    case 'preparing':
      return describePreparing(row)
    case 'transferring':
      return describeTransferring(row)
    case 'pausing':
      return describePausing(row, context.stoppingFor)
    case 'paused':
      return `Paused · ${describeAmount(row)}`
    case 'waiting':
      return row.wait === null ? 'Waiting' : describeWait(row, row.wait, context)
    case 'verifying':
      return 'Checking the copy…'
    case 'completing':
      return describeCompleting(row, context.isLong)
    case 'completed':
      return describeCompleted(row)
    case 'failed':
      return describeFailure(row, context.placeName)
    case 'canceled':
      return isFolder(row) ? 'Canceled · finished files are kept' : 'Canceled · nothing kept'
    default:
      return assertNever(row.status)
  }
}

/** Whether the row stands for all the files of a folder. */
export function isFolder({ items }: TransferRow): boolean {
  return items != null
}

/** What progress is measured against: null while it is unknown, or still grows because a folder is being listed. */
export function wholeSize({ sizeBytes, items }: TransferRow): number | null {
  return items?.isCounted === false ? null : sizeBytes
}

/** How much is there: "7.90 of 12.7 GB"; of a folder "212 of 1,204 files, 3 failed · 7.90 of 12.7 GB". */
export function describeAmount(row: TransferRow): string {
  const amount = formatProgress(row.confirmedBytes, wholeSize(row))
  if (row.items == null) return amount
  const { done, failed, isCounted, total } = row.items
  const isListing = !isCounted && row.status !== 'paused' && row.status !== 'failed'
  if (!isCounted && !isListing && done + failed === 0) return 'not listed yet'
  const files = isCounted
    ? `${formatCount(done)} of ${plural(total, 'file')}`
    : `${plural(done, 'file')}${isListing ? ', still listing' : ' so far'}`
  return `${files}${failed > 0 ? `, ${formatCount(failed)} failed` : ''} · ${amount}`
}

/** What became of one file of a folder. */
export function describeFile({ state, path, error }: FolderFile, row: TransferRow, placeName: string): string {
  const isUpload = row.direction === 'upload'
  switch (state) {
    case 'done':
      return isUpload ? 'Uploaded' : 'Downloaded'
    case 'active':
      return isUpload ? 'Uploading…' : 'Downloading…'
    case 'waiting':
      return row.status === 'failed' || row.status === 'canceled'
        ? `Not ${isUpload ? 'uploaded' : 'downloaded'}`
        : 'Waiting'
    case 'failed':
      if (error === null) return `Could not be ${isUpload ? 'uploaded' : 'downloaded'}`
      return describeError(error, { ...errorContext(row, placeName), name: nameOfPath(path), isFolder: false }).sentence
    default:
      return assertNever(state)
  }
}

/** Where an open folder has no file to show. */
export function describeNoFiles({ status, items }: TransferRow): string {
  if (items?.total === 0 && items.isCounted) return 'No files'
  if (items?.isCounted !== false) return 'Reading the list of files…'
  return status === 'paused' || status === 'failed' || status === 'queued' ? 'Not listed yet' : 'Still listing…'
}

/** The path of a file as it is below what the row names: of one dropped folder without that folder. */
export function pathInFolder(path: string, { direction, name }: TransferRow): string {
  return direction === 'upload' && path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path
}

function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Why the row failed; of a folder how much of it did. */
export function describeFailure(row: TransferRow, placeName: string): string {
  const { error, items } = row
  if (error === null) return 'Something went wrong in the app.'
  if (error.code === 'items-failed' && items != null && items.failed > 0) {
    const verb = row.direction === 'upload' ? 'uploaded' : 'downloaded'
    return `${plural(items.failed, 'file')} could not be ${verb} · ${describeThere(row.direction, items)}`
  }
  return describeError(error, errorContext(row, placeName)).sentence
}

function describeThere(direction: TransferRow['direction'], { done, total }: TransferItems): string {
  const where = direction === 'upload' ? 'there' : 'here'
  return `${formatCount(done)} of ${formatCount(total)} ${done === 1 ? 'is' : 'are'} ${where}`
}

function describePausing(row: TransferRow, stoppingFor: WordsContext['stoppingFor']): string {
  if (stoppingFor === 'cancel') {
    return isFolder(row) ? 'Canceling · finished files are kept' : 'Canceling · discarding what was transferred'
  }
  if (stoppingFor === 'start-over') return 'Starting over…'
  const finishing = finishingWords([row])
  if (stoppingFor === 'resume') return finishing === null ? 'Resuming…' : `${finishing}, then resuming…`
  if (finishing !== null) return `${finishing}…`
  return row.direction === 'upload' ? 'Pausing · keeping parts already sent' : 'Pausing · keeping what is here'
}

function describePreparing(row: TransferRow): string {
  const { direction, confirmedBytes } = row
  if (isFolder(row)) {
    if (direction === 'download') return 'Listing the folder…'
    return row.items?.isCounted === true ? 'Comparing with what is there…' : 'Looking for files…'
  }
  if (confirmedBytes > 0) return `Checking what is already there… ${describeAmount(row)}`
  return direction === 'upload' ? 'Reading file…' : 'Asking the server…'
}

function describeTransferring(row: TransferRow): string {
  return [describeAmount(row), describePace(row)].filter(isSaid).join(' · ')
}

/** How fast, and how much longer: "48.2 MB/s · 3 min"; without what columns say. */
export function describePace(row: TransferRow, columns: readonly Column[] = []): string {
  const rate = row.bytesPerSecond > 0 && !columns.includes('speed') ? formatRate(row.bytesPerSecond) : ''
  const eta = columns.includes('left') ? '' : describeTimeLeft(row)
  return [rate, eta].filter(isSaid).join(' · ')
}

/** Empty while it can’t be known, because a folder is still being listed. */
export function describeTimeLeft(row: TransferRow): string {
  return row.items?.isCounted === false ? '' : formatEta(row.etaSeconds)
}

const isSaid = (text: string): boolean => text !== ''

function describeCompleting({ direction }: TransferRow, isLong: boolean): string {
  if (direction === 'download') return 'Finishing…'
  return isLong ? 'Finishing on the server… large files can take a minute' : 'Finishing on the server…'
}

function describeCompleted({ sizeBytes, confirmedBytes, items, activeMs, verification }: TransferRow): string {
  const files = items == null ? '' : `${plural(items.done, 'file')} · `
  const size = files + formatBytes(sizeBytes ?? confirmedBytes)
  const time = activeMs > 0 ? ` in ${formatDuration(activeMs)}` : ''
  return verification === null ? size + time : `${size}${time} · ${describeVerification(verification)}`
}

/** What was checked, said honestly. */
export function describeVerification(verification: Verification): string {
  switch (verification) {
    case 'etag-md5':
      return 'verified (MD5)'
    case 'etag-multipart':
      return 'verified (MD5 of every part)'
    case 'digest':
      return 'verified (server’s checksum)'
    case 'crc':
      return 'verified (CRC)'
    case 'evidence':
      return 'verified (server’s record)'
    case 'size-only':
      return 'size checked only'
    case 'unproven':
      return 'not checked: the server told neither size nor checksum'
    default:
      return assertNever(verification)
  }
}

/** The same, and why it was no more. */
export function describeCheck(verification: Verification, lack: ProofLack | undefined): string {
  const words = describeVerification(verification)
  return lack === undefined ? words : `${words}: ${lackWords(lack)}`
}

function describeWait(row: TransferRow, wait: WaitState, { nowMs, placeName }: WordsContext): string {
  switch (wait.reason) {
    case 'network':
    case 'proxy':
    case 'server-busy':
    case 'server-error':
      return `${waitWords(wait.reason, wait.cause ?? null, placeName)} · ${nextTry(wait, nowMs)}`
    case 'disk-full':
      return 'Not enough space on the disk · continues by itself'
    case 'target-unwritable':
      return `Can’t write to the folder of ${row.name} now · continues by itself`
    case 'source-missing':
      return `The file is no longer at ${row.localPath} · continues when it is back`
    default:
      return assertNever(wait.reason)
  }
}

function nextTry({ retryAtMs, attempt }: WaitState, nowMs: number): string {
  if (retryAtMs === null) return 'continues by itself'
  const count = attempt <= TRIES_BEFORE_LONG_WAIT ? ` (${String(attempt)} of ${String(TRIES_BEFORE_LONG_WAIT)})` : ''
  return `trying again in ${formatCountdown(retryAtMs - nowMs)}${count}`
}

/** Progress for a screen reader: "62 percent, 3 minutes left". */
export function speakProgress(row: TransferRow): string {
  const percent = percentOf(row.confirmedBytes, wholeSize(row))
  const done = percent === null ? formatBytes(row.confirmedBytes) : `${String(percent)} percent`
  if (row.status !== 'transferring') return done
  if (describeTimeLeft(row) === '') return done
  return row.etaSeconds === null ? `${done}, estimating time left` : `${done}, ${speakEta(row.etaSeconds)} left`
}

/** What an error's sentence may name. */
export function errorContext(row: TransferRow, placeName: string): ErrorContext {
  const { name, bucket, localPath, placeId } = row
  return { name, placeName, bucket, localPath, isLink: placeId === null, isFolder: isFolder(row) }
}

/** How a row's place is called: a link names its host. */
export function placeNameOf(row: TransferRow, place: Place | null): string {
  if (place !== null) return place.name
  return row.placeId === null && URL.canParse(row.key) ? new URL(row.key).host : 'The server'
}

/**
 * Where the object is, as one line: "Studio / media/2026/raw-footage.mov", with its bucket where the place spans
 * several.
 */
export function objectAddress(row: TransferRow, place: Place | null): string {
  if (row.placeId === null) return row.key
  const bucket = place === null || place.bucket === row.bucket ? '' : row.bucket
  return [placeNameOf(row, place), bucket, row.key].filter((part) => part !== '').join(' / ')
}

/** The folder that tells a transfer from another of its name: where an upload goes to, or a download is saved. */
export function folderNameOf({ direction, key, localPath }: TransferRow): string {
  const path = direction === 'upload' ? key.replace(/\/$/, '') : localPath
  const folders = path.split(direction === 'upload' ? '/' : /[\\/]/).slice(0, -1)
  return (direction === 'upload' ? folders.join('/') : folders.at(-1)) ?? ''
}

/** Why a file below a dropped folder is left out. */
export function describeSkip(reason: SkipReason): string {
  switch (reason) {
    case 'system-file':
      return 'System file'
    case 'link':
      return 'Symbolic link (not followed)'
    case 'special':
      return 'Not a file'
    case 'unreadable':
      return 'Can’t be read'
    case 'name':
      return 'Its name is too long or can’t be stored'
    default:
      return assertNever(reason)
  }
}
