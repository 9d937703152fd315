import { MIB } from '../../../shared/limits.ts'
import { sentences } from '../../../shared/language/sentences.ts'
import { t } from '../../../shared/language/translate.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { rowName } from '../../../shared/transfer/row-name.ts'
import { liveRows, queueStore } from '../../state/queue/queue-store.ts'
import { canDo } from '../../state/queue/row-actions.ts'
import { ask } from '../../state/ui/open-dialogs.ts'
import type { Question } from '../../state/ui/dialog.ts'
import { formatBytes } from '../../words/format.ts'
import { isFolder } from '../../words/row-words.ts'
import { sendAction } from './send-action.ts'
import { isDone, takeOff } from './take-off.ts'

/** Removes every completed and canceled row from the list. */
export function clearDone(): void {
  takeOff(queueStore.getState().order.filter(isDone), 'keep')
}

/** Removes rows from the list. Asks what to do with the bytes of unfinished ones among them. */
export function removeRows(ids: readonly TransferId[]): void {
  askIfNeeded(
    () => removalOf(ids),
    () => takeOff(ids, 'keep'),
  )
}

/** Whether removing these rows asks first. */
export function asksToRemove(ids: readonly TransferId[]): boolean {
  return removalOf(ids) !== null
}

/** Null if nothing was transferred that could be kept or discarded: Undo then brings back all there was. */
function removalOf(ids: readonly TransferId[]): Question | null {
  const rows = unfinishedOf(ids)
  if (rows.every(({ confirmedBytes }) => confirmedBytes === 0)) return null
  const lostBytes = bytesOf(rows)
  const kind = rows.every(isFolder) ? 'folders' : directionOf(rows)
  const areKept = rows.some((row) => canDo('let-go', row))
  return {
    title: t('commands.remove.title', subjectOf(liveRows(ids))),
    body: t(`commands.remove.body.${kind}`, { amount: formatBytes(lostBytes), count: rows.length }),
    safeLabel: t('common.cancel'),
    confirmLabel: t('commands.remove.discard'),
    onConfirm: () => takeOff(ids, 'discard'),
    ...(areKept ? { other: { label: t('commands.remove.keep'), onPress: () => takeOff(ids, 'keep') } } : {}),
  }
}

/** Asks a question that is kept up to date while transfers go on; if there is nothing to ask, acts at once. */
function askIfNeeded(questionNow: () => Question | null, act: () => void): void {
  const question = questionNow()
  if (question === null) act()
  else ask({ ...question, again: questionNow })
}

function unfinishedOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return liveRows(ids).filter(({ id }) => !isDone(id))
}

/** Whether canceling these rows asks first. */
export function asksToCancel(ids: readonly TransferId[]): boolean {
  return discardOf(ids) !== null
}

/** Cancels rows and discards what they transferred, after asking if that is anything. */
export function askToCancel(ids: readonly TransferId[]): void {
  askIfNeeded(
    () => discardOf(ids),
    () => sendAction('cancel', ids),
  )
}

/** Starts rows over; asks first if that loses bytes. */
export function askToStartOver(ids: readonly TransferId[]): void {
  askIfNeeded(
    () => restartOf(ids),
    () => sendAction('start-over', ids),
  )
}

/** Starts rows over when a failure leaves no other way; asks first only if more than a trifle would be lost. */
export function startOverFailed(ids: readonly TransferId[]): void {
  if (bytesOf(liveRows(ids).filter(losesByStart)) >= TRIFLE_BYTES) askToStartOver(ids)
  else sendAction('start-over', ids)
}

/** Fewer bytes than this are fetched again in a moment. */
const TRIFLE_BYTES = 10 * MIB

/** After these errors an upload that starts over keeps the parts that still fit its file, or has none left to lose. */
const PARTS_ARE_KEPT: ReadonlySet<TransferErrorCode | undefined> = new Set<TransferErrorCode>([
  'final-mismatch',
  'source-changed',
  'upload-lost',
])

/** Whether starting over deletes what the transfer has: a partial file, or parts. */
function losesByStart({ direction, status, error }: TransferRow): boolean {
  return direction === 'download' || status !== 'failed' || !PARTS_ARE_KEPT.has(error?.code)
}

/**
 * Says what becomes of parts or partial files, of the files that they come from, and of the rows. Null if nothing was
 * transferred, nor is under way.
 */
function discardOf(ids: readonly TransferId[]): Question | null {
  const rows = unfinishedOf(ids)
  const { length: count } = rows
  if (rows.every(({ confirmedBytes, inFlightBytes }) => confirmedBytes + inFlightBytes === 0)) return null
  const direction = directionOf(rows)
  const lostBytes = bytesOf(rows)
  return {
    title: t(`commands.cancel.title.${direction}`, subjectOf(rows)),
    body: sentences([
      t(`commands.cancel.body.${rows.every(isFolder) ? 'folders' : direction}`, { count }),
      t('commands.cancel.row', { count }),
    ]),
    safeLabel: t('commands.cancel.keep'),
    confirmLabel:
      lostBytes > 0
        ? t('commands.cancel.confirm-amount', { amount: formatBytes(lostBytes) })
        : t('commands.cancel.confirm'),
    onConfirm: () => sendAction('cancel', ids),
  }
}

/** Null if nothing would be lost. */
function restartOf(ids: readonly TransferId[]): Question | null {
  const all = unfinishedOf(ids)
  const rows = all.filter(losesByStart)
  const lostBytes = bytesOf(rows)
  if (lostBytes === 0 && !rows.some(isFolder)) return null
  const amount = formatBytes(lostBytes)
  const affected = liveRows(ids)
  return {
    title: t('commands.start-over.title', subjectOf(affected)),
    body: sentences([
      rows.every(isFolder)
        ? t('commands.cancel.body.folders')
        : t('commands.start-over.consequence', { count: affected.length }),
      rows.length < all.length ? t('commands.start-over.others') : '',
    ]),
    safeLabel: t('common.cancel'),
    confirmLabel:
      lostBytes > 0 ? t('commands.start-over.confirm-amount', { amount }) : t('commands.start-over.confirm'),
    onConfirm: () => sendAction('start-over', ids),
  }
}

/** The direction of all rows, for the words about them. */
export function directionOf(rows: readonly TransferRow[]): TransferRow['direction'] | 'both' {
  const [first] = rows
  return first !== undefined && rows.every(({ direction }) => direction === first.direction) ? first.direction : 'both'
}

/** The values by which a question names one row, or counts several. */
function subjectOf(rows: readonly TransferRow[]) {
  const [first] = rows
  return { count: rows.length, name: first === undefined ? '' : rowName(first) }
}

/** The bytes that would be lost. Folders don't count: their finished files stay in any case. */
function bytesOf(rows: readonly TransferRow[]): number {
  return rows.filter((row) => !isFolder(row)).reduce((sum, row) => sum + row.confirmedBytes, 0)
}
