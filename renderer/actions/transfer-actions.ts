import { assertNever } from '../../shared/assert.ts'
import type {
  EnqueueDownloads,
  EnqueueResult,
  EnqueueUploadFolder,
  EnqueueUploads,
} from '../../shared/ipc/ipc-contract.ts'
import type { BucketAddress } from '../../shared/ipc/object-requests.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { sortDropped } from './sort-dropped.ts'
import { formatBytes, plural } from '../words/format.ts'
import { isFolder } from '../words/row-words.ts'
import { appStore, currentPlace, placeById } from '../state/app-store.ts'
import { shownSpot } from '../state/browse-store.ts'
import { liveRow, queueStore } from '../state/queue-store.ts'
import type { RowAction } from '../state/row-actions.ts'
import { noteWish } from '../state/pending-actions.ts'
import { run } from '../state/run.ts'
import type { Spot } from '../state/location.ts'
import { ask, openDialog, revealRows, showNotice, showToast, uiStore } from '../state/ui-store.ts'

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
      noteWish(action, ids)
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

/** Takes dropped or pasted files: partial downloads go on, parts lists are asked about, all others are uploaded. */
export function takeFiles(paths: readonly string[], hasFolder = false, spot = shownSpot()): void {
  const { partials, others } = sortDropped(paths)
  if (hasFolder || others.length > MOST_ROWS) askToUpload(others, spot)
  else run(takeLists(others, spot).then((files) => uploadPaths(files, spot)))
  if (partials.length > 0) run(request('downloads:adopt', { paths: partials }).then(reportAdopted))
}

/** Opens the sheet for parts lists among the files. @returns the others. */
async function takeLists(paths: readonly string[], spot: Spot | null): Promise<readonly string[]> {
  const to = addressOf(spot)
  const maybeLists = paths.filter((path) => /\.json$/i.test(path))
  if (to === null || maybeLists.length === 0) return paths
  const found = await request('parts-lists:find', { paths: maybeLists })
  if (found.length > 0) openDialog({ kind: 'parts-list', lists: found.map((path) => ({ ...to, path })) })
  return paths.filter((path) => !found.includes(path))
}

/** More files than this are dropped as one row. */
const MOST_ROWS = 100

/** The bucket of a spot, else the current place; null: there is none. */
function addressOf(spot: Spot | null): BucketAddress | null {
  const place = currentPlace(appStore.getState())
  if (spot === null) return place === null ? null : { placeId: place.id }
  return spot.bucket === '' ? { placeId: spot.placeId } : { placeId: spot.placeId, bucket: spot.bucket }
}

/** Opens the sheet that says what there is to upload, and where it goes. */
export function askToUpload(paths: readonly string[], spot: Spot | null = shownSpot(), areFiles = false): void {
  if (paths.length === 0) return
  if (currentPlace(appStore.getState()) === null) openDialog({ kind: 'add-place' })
  else openDialog({ kind: 'upload', paths, spot, areFiles })
}

export function chooseAndUploadFolder(): void {
  run(
    request('dialogs:choose-folder', { defaultPath: null }).then((folder) => {
      if (folder !== null) askToUpload([folder])
    }),
  )
}

function reportAdopted({ added, skipped, ids = [] }: EnqueueResult): void {
  const [first] = skipped
  if (ids.length > 0) revealRows(ids)
  if (added > 0) showToast(`Continuing ${plural(added, 'download')} with what is already here.`)
  if (first !== undefined) showNotice(withOthers(first, skipped.length - 1))
}

/** Uploads files to a folder, else to the current place. */
export function uploadPaths(paths: readonly string[], spot: Spot | null = shownSpot()): void {
  const place = currentPlace(appStore.getState())
  if (paths.length === 0) return
  if (place === null) return openDialog({ kind: 'add-place' })
  const to = spot ?? { placeId: place.id, bucket: place.bucket, prefix: '' }
  if (to.bucket === '') return askToUpload(paths, spot, true)
  run(
    request('uploads:enqueue', { ...to, paths }).then((result) => {
      reportUploads(result)
      const { taken } = result
      if (taken !== undefined && taken.paths.length > 0) openDialog({ kind: 'taken', to, taken })
    }),
  )
}

/** Uploads files whose names are taken, as was answered. Throws RequestError, so that the sheet can stay open. */
export async function uploadTaken(uploads: EnqueueUploads): Promise<void> {
  reportUploads(await request('uploads:enqueue', uploads))
}

function reportUploads(result: EnqueueResult): void {
  const [first, ...others] = result.continued ?? []
  if (first === undefined) return reportAdded(result)
  const there = first.confirmedBytes === 0 ? '' : ` · ${formatBytes(first.confirmedBytes)} already there`
  showToast(withOthers(`Continuing ${first.name}${there}`, others.length))
}

export function chooseAndUpload(): void {
  run(request('dialogs:choose-files', null).then((paths) => uploadPaths(paths)))
}

/** @returns how many were added. Throws RequestError, so that the sheet can stay open and say why. */
export async function download(downloads: EnqueueDownloads): Promise<number> {
  const result = await request('downloads:enqueue', downloads)
  reportSkipped(result)
  return result.added
}

/** Throws RequestError, so that the sheet can stay open and say why. */
export async function uploadFolder(uploads: EnqueueUploadFolder): Promise<void> {
  reportAdded(await request('uploads:enqueue-folder', uploads))
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

/** Uploads that begin while a folder is shown are seen nowhere else. */
function reportAdded(result: EnqueueResult): void {
  const isOutOfSight = result.added > 0 && uiStore.getState().view === 'browse'
  if (isOutOfSight && result.skipped.length === 0)
    showToast(`${plural(result.added, 'upload')} added to the transfers.`)
  else reportSkipped(result)
}

function reportSkipped({ skipped }: EnqueueResult): void {
  const [first] = skipped
  if (first !== undefined) showToast(withOthers(first, skipped.length - 1))
}

function withOthers(sentence: string, others: number): string {
  const ended = /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
  return others === 0 ? ended : `${ended} And ${String(others)} more like it.`
}

function rowsOf(ids: readonly TransferId[]): readonly TransferRow[] {
  return ids.map((id) => liveRow(id)).filter((row) => row !== undefined)
}
