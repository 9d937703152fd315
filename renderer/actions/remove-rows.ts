import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import { request } from '../bridge.ts'
import { liveRow, queueStore } from '../state/queue/queue-store.ts'
import { canDo } from '../state/queue/row-actions.ts'
import { shownIds } from '../state/shown-ids.ts'
import { ask, dismissToast, focusRow, run, showToast, uiStore, type Question } from '../state/ui-store.ts'
import { formatBytes } from '../words/format.ts'
import { isFolder } from '../words/row-words.ts'
import { perform, rowsOf } from './transfer-actions.ts'

/** Of the message that offers to take it back. */
const REMOVED = 'removed'

/** Takes every completed and canceled row off the list. */
export function clearDone(): void {
  removeDone(queueStore.getState().order.filter(isDone))
}

/** Takes rows off the list. Asks what is to become of the bytes that unfinished ones among them have. */
export function removeRows(ids: readonly TransferId[]): void {
  if (ids.every(isDone)) return removeDone(ids)
  askIfNeeded(
    () => removalOf(ids),
    () => takeOff(ids, discardNothing),
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
    onConfirm: () => takeOff(ids, discardAll),
    ...(areKept ? { other: { label: commandLabel('let-go'), onPress: () => takeOff(ids, discardNothing) } } : {}),
  }
}

/** What is asked stays true while transfers go on; where there is nothing to ask, it is done at once. */
function askIfNeeded(questionNow: () => Question | null, act: () => void): void {
  const question = questionNow()
  if (question === null) act()
  else ask({ ...question, again: questionNow })
}

function unfinishedOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return rowsOf(ids).filter(({ id }) => !isDone(id))
}

function isDone(id: TransferId): boolean {
  const status = liveRow(id)?.status
  return status === 'completed' || status === 'canceled'
}

function removeDone(ids: readonly TransferId[]): void {
  if (ids.length === 0) return
  run(
    request('transfers:remove', { ids }).then(() => {
      // Only the last removal can be undone.
      const said = (): string => t('commands.remove.removed', { count: ids.length })
      showToast(said, [{ label: () => t('common.undo'), onPress: giveBack }], REMOVED)
    }),
  )
}

/** Gives back what was removed last, also where its message is gone. */
export function undoRemoval(): void {
  giveBack()
  uiStore
    .getState()
    .toasts.filter(({ key }) => key === REMOVED)
    .forEach(dismissToast)
}

function giveBack(): void {
  run(request('transfers:restore', null))
}

/** Those that are done go as they are; what becomes of the others is done first. */
function takeOff(ids: readonly TransferId[], first: (unfinished: readonly TransferId[]) => Promise<unknown>): void {
  const unfinished = ids.filter((id) => !isDone(id))
  const done = ids.filter(isDone)
  run(first(unfinished))
  if (done.length > 0) run(request('transfers:remove', { ids: done }))
}

const discardNothing = (ids: readonly TransferId[]): Promise<null> => request('transfers:let-go', { ids })

async function discardAll(ids: readonly TransferId[]): Promise<void> {
  const next = rowBeside(ids)
  await request('transfers:cancel', { ids })
  // Canceled ones are in another group by now, where focus has nothing to look for.
  const { focusedId } = uiStore.getState()
  if (next !== undefined && focusedId !== null && ids.includes(focusedId)) focusRow(next)
  await request('transfers:remove', { ids })
}

/** The row that comes after them in the list, or before them where they are the last. */
function rowBeside(ids: readonly TransferId[]): TransferId | undefined {
  const leaving = new Set(ids)
  const shown = shownIds()
  const last = shown.findLastIndex((id) => leaving.has(id))
  const stays = (id: TransferId): boolean => !leaving.has(id)
  return shown.slice(last + 1).find(stays) ?? shown.slice(0, last + 1).findLast(stays)
}

/** Stops and throws away what was transferred, after asking. */
export function askToCancel(ids: readonly TransferId[]): void {
  askBefore('cancel', ids)
}

/** Begins again from nothing; asks first when that loses bytes. */
export function askToStartOver(ids: readonly TransferId[]): void {
  askBefore('start-over', ids)
}

function askBefore(action: 'cancel' | 'start-over', ids: readonly TransferId[]): void {
  askIfNeeded(
    () => lossOf(action, ids),
    () => perform(action, ids),
  )
}

/** Null where nothing would be lost. */
function lossOf(action: 'cancel' | 'start-over', ids: readonly TransferId[]): Question | null {
  const rows = unfinishedOf(ids)
  const lostBytes = bytesOf(rows)
  const isCancel = action === 'cancel' && rows.length > 0
  if (lostBytes === 0 && !isCancel && !rows.some(isFolder)) return null
  const amount = formatBytes(lostBytes)
  return {
    title:
      lostBytes > 0
        ? t('commands.discard.title', { amount, ...subjectOf(rows) })
        : t(`commands.${action}.title`, subjectOf(rows)),
    body: t(rows.every(isFolder) ? 'commands.discard.files' : `commands.${action}.consequence`),
    safeLabel: t('commands.discard.keep'),
    confirmLabel: lostBytes > 0 ? t(`commands.${action}.confirm-amount`, { amount }) : t(`commands.${action}.confirm`),
    onConfirm: () => perform(action, ids),
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
