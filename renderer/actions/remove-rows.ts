import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { liveRow, queueStore } from '../state/queue-store.ts'
import { canDo, type RowAction } from '../state/row-actions.ts'
import { ask, run, showToast } from '../state/ui-store.ts'
import { formatBytes, plural } from '../words/format.ts'
import { isFolder } from '../words/row-words.ts'
import { perform, rowsOf } from './transfer-actions.ts'

/** Takes every completed and canceled row off the list. */
export function clearDone(): void {
  removeDone(queueStore.getState().order.filter(isDone))
}

/** Takes rows off the list. Asks what is to become of the bytes that unfinished ones among them have. */
export function removeRows(ids: readonly TransferId[]): void {
  const rows = rowsOf(ids).filter(({ id }) => !isDone(id))
  if (rows.length === 0) return removeDone(ids)
  const lostBytes = bytesOf(rows)
  if (lostBytes === 0 && !rows.some(isFolder)) return takeOff(ids, discardNothing)
  const areKept = rows.some((row) => canDo('let-go', row))
  ask({
    title: `Remove ${subjectOf(rows)}?`,
    body: rows.every(isFolder)
      ? 'Files that are finished stay. Partly transferred ones can be kept, to be finished later.'
      : `${formatBytes(lostBytes)} is already transferred. Keep it to finish later, or discard it.`,
    safeLabel: 'Cancel',
    confirmLabel: lostBytes > 0 ? `Discard ${formatBytes(lostBytes)}` : 'Discard',
    onConfirm: () => takeOff(ids, discardAll),
    ...(areKept ? { other: { label: 'Remove, keep the parts', onPress: () => takeOff(ids, discardNothing) } } : {}),
  })
}

function isDone(id: TransferId): boolean {
  const status = liveRow(id)?.status
  return status === 'completed' || status === 'canceled'
}

function removeDone(ids: readonly TransferId[]): void {
  if (ids.length === 0) return
  run(
    request('transfers:remove', { ids }).then(() => {
      const onPress = (): void => run(request('transfers:restore', null))
      // Only the last removal can be undone.
      showToast(`${plural(ids.length, 'transfer')} removed from the list.`, { label: 'Undo', onPress }, 'removed')
    }),
  )
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
  await request('transfers:cancel', { ids })
  await request('transfers:remove', { ids })
}

/** Stops and throws away what was transferred, after asking. */
export function askToCancel(ids: readonly TransferId[]): void {
  askBefore('cancel', ids, {
    question: (subject) => `Cancel ${subject}?`,
    plainLabel: 'Cancel transfer',
    verb: 'Discard',
    consequence: 'What was transferred is deleted: parts on the server, partial files here. This can’t be undone.',
  })
}

/** Begins again from nothing; asks first when that loses bytes. */
export function askToStartOver(ids: readonly TransferId[]): void {
  askBefore('start-over', ids, {
    question: (subject) => `Start ${subject} over?`,
    plainLabel: 'Start over',
    verb: 'Start over and discard',
    consequence: 'The transfer begins again from its first byte.',
  })
}

interface Loss {
  /** The title where it can't be said how many bytes are lost. */
  readonly question: (subject: string) => string
  readonly plainLabel: string
  /** Begins the label of the button that names the bytes. */
  readonly verb: string
  readonly consequence: string
}

const FOLDER_CONSEQUENCE = 'Files that are finished stay. What is only partly transferred is deleted.'

function askBefore(action: RowAction, ids: readonly TransferId[], loss: Loss): void {
  const rows = rowsOf(ids).filter(({ id }) => !isDone(id))
  const lostBytes = bytesOf(rows)
  const needsNoQuestion = lostBytes === 0 && action !== 'cancel' && !rows.some(isFolder)
  if (needsNoQuestion) return perform(action, ids)
  const amount = formatBytes(lostBytes)
  ask({
    title: lostBytes > 0 ? `Discard ${amount} of ${subjectOf(rows)}?` : loss.question(subjectOf(rows)),
    body: rows.every(isFolder) && rows.length > 0 ? FOLDER_CONSEQUENCE : loss.consequence,
    safeLabel: 'Keep',
    confirmLabel: lostBytes > 0 ? `${loss.verb} ${amount}` : loss.plainLabel,
    onConfirm: () => {
      perform(action, ids)
    },
  })
}

function subjectOf(rows: readonly TransferRow[]): string {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first.name : plural(rows.length, 'transfer')
}

/** The finished files of a folder stay whatever becomes of the rest. */
function bytesOf(rows: readonly TransferRow[]): number {
  return rows.filter((row) => !isFolder(row)).reduce((sum, row) => sum + row.confirmedBytes, 0)
}
