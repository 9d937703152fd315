import { assertNever } from '../../shared/assert.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { notePendingAction } from '../state/pending-actions.ts'
import { liveRow, queueStore } from '../state/queue-store.ts'
import type { RowAction } from '../state/row-actions.ts'
import { ask, openDialog, run, showNotice } from '../state/ui-store.ts'
import { formatBytes, plural } from '../words/format.ts'
import { isFolder } from '../words/row-words.ts'

/**
 * What the window does on a person's wish. No status is guessed in advance: the delta comes back within a frame.
 * A refused request becomes a notice, so callers have nothing to await.
 */
export function perform(action: RowAction, ids: readonly TransferId[]): void {
  const [first] = ids
  if (first === undefined) return
  switch (action) {
    case 'relink':
      return openDialog({ kind: 'relink', id: first })
    case 'review':
      return openDialog({ kind: 'earlier-upload', id: first })
    case 'decide':
      return openDialog({ kind: 'decide', id: first })
    case 'certificate':
      return openDialog({ kind: 'certificate', subject: { kind: 'transfer', id: first } })
    case 'network':
      return openDialog({ kind: 'settings', tab: 'network' })
    case 'edit-place':
      return editPlaceOf(first)
    case 'limit':
      return openDialog({ kind: 'limit', ids })
    case 'reveal':
      return run(Promise.all(ids.map((id) => request('shell:reveal', { id }))))
    default:
      notePendingAction(action, ids)
      return run(send(action, ids))
  }
}

/** Tries again whatever is held up by what was just changed; the rest stays as it is. */
export function retryHeldUp(isHeldUp: (row: TransferRow) => boolean): void {
  const held = rowsOf(queueStore.getState().order).filter(isHeldUp)
  perform(
    'retry',
    held.map((row) => row.id),
  )
}

/** Opens the form of a transfer's place. What it stopped goes on once it is saved. */
function editPlaceOf(id: TransferId): void {
  const place = placeById(appStore.getState(), liveRow(id)?.placeId ?? null)
  if (place === null) showNotice('The place of this transfer was removed.')
  else if (place.isDemo) showNotice('The demo store can’t be edited.')
  else openDialog({ kind: 'add-place', place })
}

type SheetAction = 'relink' | 'review' | 'decide' | 'certificate' | 'network' | 'edit-place' | 'limit' | 'reveal'

function send(action: Exclude<RowAction, SheetAction>, ids: readonly TransferId[]): Promise<null> {
  switch (action) {
    case 'pause':
      return request('transfers:pause', { ids })
    case 'resume':
      return request('transfers:resume', { ids })
    case 'retry':
      return request('transfers:retry', { ids })
    case 'start-over':
      return request('transfers:start-over', { ids })
    case 'cancel':
      return request('transfers:cancel', { ids })
    case 'remove':
      return request('transfers:remove', { ids })
    default:
      return assertNever(action)
  }
}

export function pauseAll(): void {
  run(request('transfers:pause', { ids: 'all' }))
}

export function resumeAll(): void {
  run(request('transfers:resume', { ids: 'all' }))
}

/** Takes every completed and canceled row off the list. */
export function clearDone(): void {
  const done = rowsOf(queueStore.getState().order).filter((row) => ['completed', 'canceled'].includes(row.status))
  perform(
    'remove',
    done.map((row) => row.id),
  )
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

/** Takes rows off the list. Asks first when unfinished ones among them have bytes that would be lost. */
export function removeRows(ids: readonly TransferId[]): void {
  if (rowsOf(ids).every((row) => row.status !== 'failed')) return perform('remove', ids)
  askBefore('remove', ids, {
    question: (subject) => `Remove ${subject}?`,
    plainLabel: 'Remove',
    verb: 'Remove and discard',
    consequence: 'An unfinished transfer is deleted with what it has transferred. Finished files stay.',
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
  const rows = rowsOf(ids).filter((row) => row.status !== 'completed' && row.status !== 'canceled')
  // The finished files of a folder stay whatever becomes of the rest.
  const lostBytes = rows.filter((row) => !isFolder(row)).reduce((sum, row) => sum + row.confirmedBytes, 0)
  const needsNoQuestion = lostBytes === 0 && action !== 'cancel' && !rows.some(isFolder)
  if (needsNoQuestion) return perform(action, ids)
  const [first] = rows
  const subject = rows.length === 1 && first !== undefined ? first.name : plural(rows.length, 'transfer')
  const amount = formatBytes(lostBytes)
  ask({
    title: lostBytes > 0 ? `Discard ${amount} of ${subject}?` : loss.question(subject),
    body: rows.every(isFolder) && rows.length > 0 ? FOLDER_CONSEQUENCE : loss.consequence,
    safeLabel: 'Keep',
    confirmLabel: lostBytes > 0 ? `${loss.verb} ${amount}` : loss.plainLabel,
    onConfirm: () => {
      perform(action, ids)
    },
  })
}

function rowsOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return ids.map((id) => liveRow(id)).filter((row) => row !== undefined)
}
