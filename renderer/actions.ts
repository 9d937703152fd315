import { assertNever } from '../shared/assert.ts'
import type { EnqueueDownloads, EnqueueResult } from '../shared/ipc-contract.ts'
import type { TransferId, TransferRow } from '../shared/transfer.ts'
import { request } from './bridge.ts'
import { formatBytes, plural } from './format.ts'
import { appStore, currentPlace } from './state/app-store.ts'
import { liveRow, queueStore } from './state/queue-store.ts'
import type { RowAction } from './state/row-actions.ts'
import { noteWish } from './state/wishes.ts'
import { run } from './state/run.ts'
import { ask, openDialog, showToast } from './state/ui-store.ts'

/**
 * What the window does on a person's wish. No status is guessed in advance: the delta comes back within a frame.
 * A refused request becomes a notice, so callers have nothing to await.
 */
export function perform(action: RowAction, ids: readonly TransferId[]): void {
  if (ids.length === 0) return
  noteWish(action, ids)
  switch (action) {
    case 'pause':
      return run(request('transfers:pause', { ids }))
    case 'resume':
      return run(request('transfers:resume', { ids }))
    case 'retry':
      return run(request('transfers:retry', { ids }))
    case 'start-over':
      return run(request('transfers:start-over', { ids }))
    case 'cancel':
      return run(request('transfers:cancel', { ids }))
    case 'remove':
      return run(request('transfers:remove', { ids }))
    case 'reveal':
      return run(Promise.all(ids.map((id) => request('shell:reveal', { id }))))
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
    safeLabel: 'Keep',
    verb: 'Discard',
    consequence: 'What was transferred is deleted: parts on the server, partial files here. This can’t be undone.',
  })
}

/** Begins again from nothing; asks first when that loses bytes. */
export function askToStartOver(ids: readonly TransferId[]): void {
  askBefore('start-over', ids, {
    safeLabel: 'Keep',
    verb: 'Start over and discard',
    consequence: 'The transfer begins again from its first byte.',
  })
}

/** Takes rows off the list. Asks first when unfinished ones among them have bytes that would be lost. */
export function removeRows(ids: readonly TransferId[]): void {
  if (rowsOf(ids).every((row) => row.status !== 'failed')) return perform('remove', ids)
  askBefore('remove', ids, {
    safeLabel: 'Keep',
    verb: 'Remove and discard',
    consequence: 'An unfinished transfer is deleted with what it has transferred. Finished files stay.',
  })
}

interface Loss {
  readonly safeLabel: string
  readonly verb: string
  readonly consequence: string
}

function askBefore(action: RowAction, ids: readonly TransferId[], { safeLabel, verb, consequence }: Loss): void {
  const rows = rowsOf(ids).filter((row) => row.status !== 'completed' && row.status !== 'canceled')
  const lostBytes = rows.reduce((sum, row) => sum + row.confirmedBytes, 0)
  const needsNoQuestion = lostBytes === 0 && action !== 'cancel'
  if (needsNoQuestion) return perform(action, ids)
  const [first] = rows
  const subject = rows.length === 1 && first !== undefined ? first.name : plural(rows.length, 'transfer')
  const amount = lostBytes > 0 ? ` ${formatBytes(lostBytes)}` : ''
  ask({
    title: lostBytes > 0 ? `Discard ${formatBytes(lostBytes)} of ${subject}?` : `Cancel ${subject}?`,
    body: consequence,
    safeLabel,
    confirmLabel: amount === '' ? 'Cancel transfer' : verb + amount,
    onConfirm: () => {
      perform(action, ids)
    },
  })
}

/** Uploads files or folders to the current place. */
export function uploadPaths(paths: readonly string[]): void {
  const place = currentPlace(appStore.getState())
  if (paths.length === 0) return
  if (place === null) return openDialog({ kind: 'add-place' })
  run(request('uploads:enqueue', { placeId: place.id, prefix: '', paths }).then(reportSkipped))
}

export function chooseAndUpload(): void {
  run(request('dialogs:choose-files', null).then(uploadPaths))
}

/** Throws RequestError, so that the sheet can stay open and say why. */
export async function download(downloads: EnqueueDownloads): Promise<void> {
  reportSkipped(await request('downloads:enqueue', downloads))
}

/** Takes some seconds when the sample has to be made. Throws RequestError. */
export async function startSample(): Promise<void> {
  reportSkipped(await request('sample:start', null))
}

export function copyText(text: string, said: string): void {
  run(
    request('clipboard:write', { text }).then(() => {
      showToast(said)
    }),
  )
}

function reportSkipped({ skipped }: EnqueueResult): void {
  const [first, ...others] = skipped
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` And ${String(others.length)} more like it.`
  showToast(/[.!?…]$/.test(first) ? first + more : `${first}.${more}`)
}

function rowsOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return ids.map((id) => liveRow(id)).filter((row) => row !== undefined)
}
