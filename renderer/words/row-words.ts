// The words of a transfer's row, by state and cause.

import { joined } from '../../shared/language/joined.ts'
import { currentSystem, t } from '../../shared/language/translate.ts'
import { formatEta, speakEta } from '../../shared/format/format-eta.ts'
import { assertNever } from '../../shared/assert.ts'
import { waitWords } from '../../shared/transfer/words/wait-words.ts'
import { finishingWords } from '../../shared/transfer/words/stopping-words.ts'
import { describeError, type ErrorContext } from '../../shared/transfer/words/error-words.ts'
import { TRIES_BEFORE_LONG_WAIT } from '../../shared/limits.ts'
import type { Column } from '../../shared/transfer/queue-view.ts'
import type { FolderFile } from '../../shared/transfer/folder-file.ts'
import type { Place } from '../../shared/place/place.ts'
import type { SkipReason, TransferItems, TransferRow, WaitState } from '../../shared/transfer/transfer.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import {
  formatBytes,
  formatBytesUp,
  formatCountdown,
  formatDuration,
  formatProgress,
  formatRate,
  percentOf,
} from './format.ts'

/** What the second line may need besides the row. */
export interface WordsContext {
  readonly nowMs: number
  readonly placeName: string
  /** The number of queued transfers ahead of this one. */
  readonly ahead: number
  /** Why a pausing transfer stops, if it won't stay paused. */
  readonly stoppingFor: 'cancel' | 'let-go' | 'resume' | 'start-over' | null
  /** True once a state has lasted ten seconds. */
  readonly isLong: boolean
}

/** One fact of a row's second line. */
export interface RowFact {
  readonly text: string
  /** A sentence, which may be cut off or take two lines. Other facts have numbers: all of one is shown, or nothing. */
  readonly isSentence?: boolean
  /** The same where there is little space; empty: what is beside it says enough. */
  readonly short?: string
  /** Where there is little space, this is left out before others: they say the same in another way. */
  readonly isSpare?: boolean
}

/**
 * The second line of a row: what it is doing and why, in plain words. Only the first fact may be a sentence. `columns`
 * show the speed and the time left of a moving row in its place.
 */
export function describeRow(
  row: TransferRow,
  context: WordsContext,
  columns: readonly Column[] = [],
): readonly RowFact[] {
  switch (row.status) {
    case 'queued':
      return sentence(
        context.ahead === 0 ? t('transfer.row.starts-next') : t('transfer.row.ahead', { count: context.ahead }),
      )
    case 'preparing':
      return describePreparing(row)
    case 'transferring':
      return describeTransferring(row, columns)
    case 'pausing':
      return sentence(describePausing(row, context.stoppingFor))
    case 'paused':
      return describePaused(row)
    case 'waiting':
      return row.wait === null ? sentence(t('transfer.row.waiting')) : sentence(...describeWait(row, row.wait, context))
    case 'verifying':
      return sentence(t('transfer.row.verifying'))
    case 'completing':
      return sentence(describeCompleting(row, context.isLong))
    case 'completed':
      return numbers(...describeCompleted(row))
    case 'failed':
      return sentence(...failureFacts(row, context.placeName), ...describeKept(row))
    case 'canceled':
      return sentence(t(isFolder(row) ? 'transfer.row.canceled-folder' : 'transfer.row.canceled'))
    default:
      return assertNever(row.status)
  }
}

/** The whole line. */
export function lineOf(facts: readonly RowFact[]): string {
  return joined(...facts.map(({ text }) => text))
}

function sentence(first: string, ...others: readonly string[]): readonly RowFact[] {
  return [{ text: first, isSentence: true }, ...numbers(...others)]
}

/** Leaves out empty texts. */
function numbers(...texts: readonly string[]): readonly RowFact[] {
  return texts.filter((text) => text !== '').map((text) => ({ text }))
}

/** How much a failed row has kept. For a folder, that is said along with its files. */
function describeKept(row: TransferRow): readonly string[] {
  if (row.confirmedBytes === 0 || row.error?.code === 'items-failed') return []
  return [formatProgress(shownBytes(row), wholeSize(row))]
}

/** Whether the row stands for all the files of a folder. */
export function isFolder({ items }: TransferRow): boolean {
  return items != null
}

/** The size that progress is measured against; null while it is unknown, or grows because a folder is being listed. */
export function wholeSize({ sizeBytes, items }: TransferRow): number | null {
  return items?.isCounted === false ? null : sizeBytes
}

/**
 * The bytes that a row shows: those that are safe, and for a transfer that can't keep any before its end, also those in
 * flight.
 */
export function shownBytes({ confirmedBytes, inFlightBytes, sizeBytes, keepsNothing }: TransferRow): number {
  return sizeBytes === null || keepsNothing === true ? confirmedBytes + inFlightBytes : confirmedBytes
}

/** How much is transferred: "7.90 of 12.7 GB"; for a folder "212 of 1,204 files, 3 failed" and "7.90 of 12.7 GB". */
export function amountFacts(row: TransferRow): readonly string[] {
  const amount = formatProgress(shownBytes(row), wholeSize(row))
  if (row.items == null) return [amount]
  const { done, failed, isCounted, total } = row.items
  const isListing = !isCounted && row.status !== 'paused' && row.status !== 'failed'
  if (!isCounted && !isListing && done + failed === 0) return [t('transfer.row.not-listed-yet')]
  const files = isCounted
    ? t('transfer.row.files-of', { done, total })
    : t(isListing ? 'transfer.row.files-listing' : 'transfer.row.files-so-far', { done })
  return [failed > 0 ? t('transfer.row.and-failed', { before: files, count: failed }) : files, amount]
}

/** The state of one file of a folder. */
export function describeFile({ state, path, error }: FolderFile, row: TransferRow, placeName: string): string {
  const { direction, status } = row
  switch (state) {
    case 'done':
      return t('transfer.file.done', { direction })
    case 'already-there':
      return t('transfer.file.already-there', { direction })
    case 'skipped':
      return t('transfer.file.skipped', { direction })
    case 'active':
      return t('transfer.file.active', { direction })
    case 'waiting':
      return status === 'failed' || status === 'canceled'
        ? t('transfer.file.not', { direction })
        : t('transfer.file.waiting')
    case 'failed':
      if (error === null) return t('transfer.file.could-not', { direction })
      return describeError(error, fileErrorContext(path, row, placeName)).sentence
    default:
      return assertNever(state)
  }
}

/** The words for an expanded folder that has no file to show. */
export function describeNoFiles({ status, items }: TransferRow): string {
  if (items?.total === 0 && items.isCounted) return t('transfer.files.none')
  if (items?.isCounted !== false) return t('transfer.files.reading')
  return status === 'paused' || status === 'failed' || status === 'queued'
    ? t('transfer.files.not-listed')
    : t('transfer.files.listing')
}

/** The path of a file below what the row names. For a single dropped folder, without that folder's name. */
export function pathInFolder(path: string, { direction, name, others }: TransferRow): string {
  return direction === 'upload' && others === undefined && path.startsWith(`${name}/`)
    ? path.slice(name.length + 1)
    : path
}

/** What the sentence for a file of a folder may name. Its local path is that of the folder which the file is in. */
export function fileErrorContext(path: string, row: TransferRow, placeName: string): ErrorContext {
  const folders = pathInFolder(path, row).split('/').slice(0, -1)
  const localPath = [row.localPath, ...folders].join(currentSystem() === 'win32' ? '\\' : '/')
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { ...errorContext(row, placeName), name, localPath, isFolder: false, keepsBytes: false }
}

/** Why the row failed; for a folder, how much of it did. */
export function describeFailure(row: TransferRow, placeName: string): string {
  return joined(...failureFacts(row, placeName))
}

function failureFacts(row: TransferRow, placeName: string): readonly [string, ...string[]] {
  const { error, items } = row
  if (error === null) return [t('transfer.row.internal')]
  if (error.code === 'items-failed' && items != null && items.failed > 0) {
    const failed = t('transfer.row.items-failed', { count: items.failed, direction: row.direction })
    return [failed, describeThere(row.direction, items)]
  }
  return [describeError(error, errorContext(row, placeName)).sentence]
}

function describeThere(direction: TransferRow['direction'], { done, total }: TransferItems): string {
  return t('transfer.row.there', { done, total, direction })
}

function describePaused(row: TransferRow): readonly RowFact[] {
  if (row.keepsNothing === true) return sentence(t('transfer.row.paused-starts-over'))
  const isNothingKnown = row.sizeBytes === null && shownBytes(row) === 0 && !isFolder(row)
  const paused = t('transfer.group.paused')
  return isNothingKnown ? numbers(paused) : [{ text: paused, short: '' }, ...numbers(...amountFacts(row))]
}

function describePausing(row: TransferRow, stoppingFor: WordsContext['stoppingFor']): string {
  // Nothing but a drive that isn’t responding keeps a row from stopping.
  if (row.wait !== null) {
    const which = stoppingFor === 'resume' ? 'transfer.wait.drive-unresponsive' : 'transfer.row.stopping-drive'
    return t(which, { folder: localFolderOf(row) })
  }
  if (stoppingFor === 'cancel') {
    return t(isFolder(row) ? 'transfer.row.canceling-folder' : 'transfer.row.canceling')
  }
  if (stoppingFor === 'start-over') return t('transfer.row.starting-over')
  const finishing = finishingWords([row])
  if (stoppingFor === 'resume') {
    return finishing === null ? t('transfer.row.resuming') : t('transfer.row.finishing-then-resuming', { finishing })
  }
  if (stoppingFor === 'let-go') {
    return finishing === null ? t('transfer.row.removing') : t('transfer.row.finishing-then-removing', { finishing })
  }
  if (finishing !== null) return t('transfer.row.finishing-first', { finishing })
  if (row.keepsNothing === true) return t('transfer.row.pausing-starts-over')
  return t('transfer.row.pausing', { direction: row.direction })
}

/** Whether the bytes of a file that are already there are being checked before more is transferred. */
function isComparing(row: TransferRow): boolean {
  return row.status === 'preparing' && row.confirmedBytes > 0 && !isFolder(row)
}

function describePreparing(row: TransferRow): readonly RowFact[] {
  const { direction } = row
  if (isFolder(row)) {
    if (direction === 'download') return sentence(t('transfer.row.listing-folder'))
    return sentence(t(row.items?.isCounted === true ? 'transfer.row.comparing' : 'transfer.row.looking'))
  }
  if (isComparing(row)) return sentence(t('transfer.row.checking'), ...amountFacts(row))
  return sentence(t(direction === 'upload' ? 'transfer.row.reading' : 'transfer.row.asking'))
}

function describeTransferring(row: TransferRow, columns: readonly Column[]): readonly RowFact[] {
  const rate = row.bytesPerSecond > 0 && !columns.includes('speed') ? formatRate(row.bytesPerSecond) : ''
  const left = columns.includes('left') ? '' : describeTimeLeft(row)
  // A folder's files tell how far it is, too.
  const amounts = numbers(...amountFacts(row)).map((fact, index) => (index > 0 ? { ...fact, isSpare: true } : fact))
  return [...amounts, ...describeUnderWay(row), ...numbers(rate, left)]
}

/** How much of a moving upload is on the way, if that matters. */
function describeUnderWay(row: TransferRow): readonly RowFact[] {
  const bytes = bytesToName(row)
  if (bytes === 0) return []
  const amount = formatBytes(bytes)
  return [{ text: t('transfer.row.under-way', { amount }), short: t('transfer.row.under-way-short', { amount }) }]
}

/** The most parts of which each is a good piece of the bar, so that the bar moves long before one is confirmed. */
const MOST_COARSE_UNITS = 50

/**
 * The bytes in flight of an upload if its bar shows them: it has few parts, or little else has arrived. 0: not worth
 * naming, because what is confirmed follows closely, as it does in every download.
 */
export function bytesToName(row: TransferRow): number {
  const { direction, status, sizeBytes, confirmedBytes, inFlightBytes, unitsTotal } = row
  if (direction !== 'upload' || status !== 'transferring' || sizeBytes === null) return 0
  const isCoarse = unitsTotal > 0 && unitsTotal <= MOST_COARSE_UNITS
  return isCoarse || inFlightBytes > confirmedBytes ? inFlightBytes : 0
}

/** The time left. Empty while a folder is still being listed, because it can’t be known. */
export function describeTimeLeft(row: TransferRow): string {
  return row.items?.isCounted === false ? '' : formatEta(row.etaSeconds)
}

function describeCompleting({ direction }: TransferRow, isLong: boolean): string {
  if (direction === 'download') return t('transfer.row.finishing')
  return t(isLong ? 'transfer.row.finishing-there-long' : 'transfer.row.finishing-there')
}

function describeCompleted(row: TransferRow): readonly string[] {
  const { sizeBytes, confirmedBytes, items, activeMs, verification, proofLack, direction } = row
  const files = items == null ? '' : describeFiles(items, direction)
  const size = formatBytes(sizeBytes ?? confirmedBytes)
  // No time if some was already there: the size counts everything, but the time only what was transferred.
  const isTimed = activeMs > 0 && (items?.alreadyThere ?? 0) + (items?.skipped ?? 0) === 0
  const done = isTimed ? t('transfer.row.in-time', { size, time: formatDuration(activeMs) }) : size
  // Skipped files were not compared; the words before already say that they were skipped.
  if (proofLack === 'left-alone') return [files, done]
  // Names the kind of checksum only. Whether it covers parts is in the inspector, as a row has no room for both.
  const proof = verification === 'etag-multipart' ? 'etag-md5' : verification
  return [files, done, proof === null ? '' : t(`transfer.check.${proof}`)]
}

/** The number of files, and how many of them were not transferred. */
function describeFiles(items: TransferItems, direction: TransferRow['direction']): string {
  const { done: count, alreadyThere: there = 0, skipped = 0 } = items
  const files =
    there === 0
      ? t('transfer.row.files', { count })
      : t(there === count ? 'transfer.row.files-all-there' : 'transfer.row.files-some-there', {
          ...{ count, there, direction },
        })
  return skipped === 0 ? files : t('transfer.row.and-skipped', { before: files, count: skipped })
}

/** Why a row waits and when it goes on, as one line; null when it doesn’t wait for anything. */
export function describeWaiting(row: TransferRow, context: Pick<WordsContext, 'nowMs' | 'placeName'>): string | null {
  return row.status === 'waiting' && row.wait !== null ? joined(...describeWait(row, row.wait, context)) : null
}

/** Why a transfer waits, and when it goes on. */
function describeWait(
  row: TransferRow,
  wait: WaitState,
  { nowMs, placeName }: Pick<WordsContext, 'nowMs' | 'placeName'>,
): readonly [string, string] {
  switch (wait.reason) {
    case 'network':
    case 'proxy':
    case 'server-busy':
    case 'server-error':
      return [waitWords(wait.reason, wait.cause ?? null, placeName), describeNextTry(wait, nowMs)]
    case 'disk-full':
      return [describeLack(wait), t('transfer.wait.by-itself')]
    case 'state-unwritable':
      return [t('transfer.wait.state-unwritable'), t('transfer.wait.by-itself')]
    case 'target-unwritable':
      return [t('transfer.wait.target-unwritable', { name: rowName(row) }), t('transfer.wait.by-itself')]
    case 'source-missing':
    case 'drive-unresponsive':
      // Only the folder's name: the whole path, which the inspector has, would cut off the rest.
      return [t(`transfer.wait.${wait.reason}`, { folder: localFolderOf(row) }), '']
    default:
      return assertNever(wait.reason)
  }
}

function describeLack({ lackingBytes }: WaitState): string {
  if (lackingBytes === undefined) return t('transfer.wait.disk-full')
  return t('transfer.wait.disk-lacks', { amount: formatBytesUp(lackingBytes) })
}

/** When a waiting transfer is tried again. */
export function describeNextTry({ retryAtMs, attempt }: WaitState, nowMs: number): string {
  if (retryAtMs === null) return t('transfer.wait.by-itself')
  const time = formatCountdown(retryAtMs - nowMs)
  return attempt <= TRIES_BEFORE_LONG_WAIT
    ? t('transfer.wait.again-in-of', { time, attempt, tries: TRIES_BEFORE_LONG_WAIT })
    : t('transfer.wait.again-in', { time })
}

/** Progress for a screen reader: "62 percent, 3 minutes left". */
export function speakProgress(row: TransferRow): string {
  const percent = percentOf(shownBytes(row), wholeSize(row))
  const before = percent === null ? formatBytes(shownBytes(row)) : t('transfer.spoken.percent', { percent })
  const bytes = bytesToName(row)
  const done = bytes === 0 ? before : t('transfer.spoken.under-way', { before, amount: formatBytes(bytes) })
  if (row.status !== 'transferring') return done
  if (describeTimeLeft(row) === '') return done
  return row.etaSeconds === null
    ? t('transfer.spoken.estimating', { amount: done })
    : t('transfer.spoken.left', { amount: done, time: speakEta(row.etaSeconds) })
}

/** What an error's sentence may name. */
export function errorContext(row: TransferRow, placeName: string): ErrorContext {
  const { bucket, localPath, placeId, confirmedBytes } = row
  const kind = { isLink: placeId === null, isFolder: isFolder(row), keepsBytes: confirmedBytes > 0 }
  return { name: rowName(row), placeName, bucket, localPath, ...kind }
}

/** The same, with what decides which button goes beside it. */
export function actionContext(row: TransferRow, place: Place | null): ErrorContext {
  return { ...errorContext(row, placeNameOf(row, place)), hasAllBuckets: place?.bucket === '' }
}

/** The name of a row's place; for a link, its host. */
export function placeNameOf(row: TransferRow, place: Place | null): string {
  if (place !== null) return place.name
  return row.placeId === null && URL.canParse(row.key) ? new URL(row.key).host : t('transfer.server')
}

/**
 * Where the object is, on one line: "Studio / media/2026/raw-footage.mov", with its bucket if it isn't the place's own.
 */
export function objectAddress(row: TransferRow, place: Place | null): string {
  if (row.placeId === null) return row.key
  const bucket = place === null || place.bucket === row.bucket ? '' : row.bucket
  return [placeNameOf(row, place), bucket, row.key].filter((part) => part !== '').join(' / ')
}

/** The folder that distinguishes transfers with the same name: where an upload goes, or a download is saved. */
export function folderNameOf(row: TransferRow): string {
  if (row.direction === 'download') return localFolderOf(row)
  return row.key.replace(/\/$/, '').split('/').slice(0, -1).join('/')
}

/** The name of the local folder of its file. */
function localFolderOf({ localPath }: TransferRow): string {
  return localPath.split(/[\\/]/).at(-2) || '/'
}

/** Why a file below a dropped folder is left out. */
export function describeSkip(reason: SkipReason): string {
  return t(`transfer.skip.${reason}`)
}
