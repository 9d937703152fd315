import { commandLabel } from '../../../shared/ipc/menu-commands.ts'
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

/** Takes every completed and canceled row off the list. */
export function clearDone(): void {
  takeOff(queueStore.getState().order.filter(isDone), 'keep')
}

/** Takes rows off the list. Asks what is to become of the bytes that unfinished ones among them have. */
export function removeRows(ids: readonly TransferId[]): void {
  askIfNeeded(
    () => removalOf(ids),
    () => takeOff(ids, 'keep'),
  )
}

/** Null where nothing would be lost. */
function removalOf(ids: readonly TransferId[]): Question | null {
  const rows = unfinishedOf(ids)
  const lostBytes = bytesOf(rows)
  if (lostBytes === 0 && !rows.some(isFolder)) return null
  const amount = formatBytes(lostBytes)
  const areKept = rows.some((row) => canDo('let-go', row))
  return {
    title: t('commands.remove.title', subjectOf(rows)),
    body: rows.every(isFolder) ? t('commands.remove.files') : t('commands.remove.transferred', { amount }),
    safeLabel: t('common.cancel'),
    confirmLabel: lostBytes > 0 ? t('commands.remove.discard-amount', { amount }) : t('commands.remove.discard'),
    onConfirm: () => takeOff(ids, 'discard'),
    ...(areKept ? { other: { label: commandLabel('let-go'), onPress: () => takeOff(ids, 'keep') } } : {}),
  }
}

/** What is asked stays true while transfers go on; where there is nothing to ask, it is done at once. */
function askIfNeeded(questionNow: () => Question | null, act: () => void): void {
  const question = questionNow()
  if (question === null) act()
  else ask({ ...question, again: questionNow })
}

function unfinishedOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return liveRows(ids).filter(({ id }) => !isDone(id))
}

/** Stops and throws away what was transferred, after asking. */
export function askToCancel(ids: readonly TransferId[]): void {
  askBefore('cancel', ids)
}

/** Begins again from nothing; asks first when that loses bytes. */
export function askToStartOver(ids: readonly TransferId[]): void {
  askBefore('start-over', ids)
}

/** As the one way on from a failure: asks first where bytes go that nothing has any more, and not for a trifle. */
export function startOverFailed(ids: readonly TransferId[]): void {
  if (bytesOf(liveRows(ids).filter(losesByStart)) >= TRIFLE_BYTES) askToStartOver(ids)
  else sendAction('start-over', ids)
}

/** Fetched again in a moment. */
const TRIFLE_BYTES = 10 * MIB

/** After these an upload keeps the parts that its file still has, or there are none any more. */
const PARTS_ARE_KEPT: ReadonlySet<TransferErrorCode | undefined> = new Set<TransferErrorCode>([
  'final-mismatch',
  'source-changed',
  'upload-lost',
])

/** Whether what it has is deleted when it starts over: a partial file, or parts. */
function losesByStart({ direction, status, error }: TransferRow): boolean {
  return direction === 'download' || status !== 'failed' || !PARTS_ARE_KEPT.has(error?.code)
}

function askBefore(action: 'cancel' | 'start-over', ids: readonly TransferId[]): void {
  askIfNeeded(
    () => lossOf(action, ids),
    () => sendAction(action, ids),
  )
}

/** Null where nothing would be lost. */
function lossOf(action: 'cancel' | 'start-over', ids: readonly TransferId[]): Question | null {
  const all = unfinishedOf(ids)
  const isCancel = action === 'cancel' && all.length > 0
  const rows = isCancel ? all : all.filter(losesByStart)
  const lostBytes = bytesOf(rows)
  if (lostBytes === 0 && !isCancel && !rows.some(isFolder)) return null
  const amount = formatBytes(lostBytes)
  const isDiscard = isCancel && lostBytes > 0
  const affected = isCancel ? all : liveRows(ids)
  return {
    title: isDiscard
      ? t('commands.discard.title', { amount, ...subjectOf(rows) })
      : t(`commands.${action}.title`, subjectOf(affected)),
    body: sentences([
      rows.every(isFolder)
        ? t('commands.discard.files')
        : t(`commands.${action}.consequence`, { count: affected.length }),
      rows.length < all.length ? t('commands.start-over.others') : '',
    ]),
    safeLabel: isCancel ? t('commands.discard.keep') : t('common.cancel'),
    confirmLabel: lostBytes > 0 ? t(`commands.${action}.confirm-amount`, { amount }) : t(`commands.${action}.confirm`),
    onConfirm: () => sendAction(action, ids),
  }
}

/** One is called by its name, several by how many they are. */
function subjectOf(rows: readonly TransferRow[]) {
  const [first] = rows
  return { count: rows.length, name: first === undefined ? '' : rowName(first) }
}

/** The finished files of a folder stay whatever becomes of the rest. */
function bytesOf(rows: readonly TransferRow[]): number {
  return rows.filter((row) => !isFolder(row)).reduce((sum, row) => sum + row.confirmedBytes, 0)
}
