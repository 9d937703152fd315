// What the window shows and has selected: filter, focus, dialogs, toasts. The main process knows nothing of it.

import { createStore } from 'zustand/vanilla'
import type { EnqueueDownloads, EnqueueUploads, TakenUploads } from '../../shared/ipc/ipc-contract.ts'
import type { CertificateSubject } from '../../shared/ipc/network-requests.ts'
import type { DroppedPartsList } from '../../shared/ipc/parts-list-review.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { COLUMNS, USUAL_COLUMNS, type Column, type Sort, type SortColumn } from '../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import type { Entry } from './objects/listing.ts'
import type { BrowseLocation } from './objects/location.ts'
import { nextSort } from './queue/sorting.ts'
import { t } from '../../shared/language/translate.ts'

export type Filter = 'all' | TransferGroup

export type DialogState =
  | { readonly kind: 'none' }
  | { readonly kind: 'download'; readonly text: string | null; readonly destination?: Destination }
  /** What was picked in a folder. */
  | { readonly kind: 'download-picked'; readonly location: BrowseLocation; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'upload'
      readonly paths: readonly string[]
      readonly location: BrowseLocation | null
      readonly areFiles: boolean
    }
  | { readonly kind: 'preview'; readonly file: PreviewedFile }
  | { readonly kind: 'link'; readonly location: BrowseLocation; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly location: BrowseLocation; readonly entries: readonly Entry[] }
  | { readonly kind: 'new-folder'; readonly location: BrowseLocation }
  /** Files that were not uploaded because their names are taken. */
  | { readonly kind: 'taken'; readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>; readonly taken: TakenUploads }
  /** With a place: the form that changes it. `back` is shown again after it. */
  | { readonly kind: 'add-place'; readonly place?: Place; readonly back?: DialogState }
  | { readonly kind: 'settings'; readonly tab?: 'bandwidth' | 'network' }
  | { readonly kind: 'certificate'; readonly subject: CertificateSubject }
  | LinksDialog
  | { readonly kind: 'relink'; readonly id: TransferId }
  | BucketDialog
  /** An unfinished upload of the same key was found. */
  | { readonly kind: 'earlier-upload'; readonly id: TransferId }
  | { readonly kind: 'decide'; readonly id: TransferId }
  | { readonly kind: 'unfinished'; readonly place: Place; readonly bucket: string }
  /** One after another. */
  | { readonly kind: 'parts-list'; readonly lists: readonly DroppedPartsList[] }
  | { readonly kind: 'limit'; readonly ids: readonly TransferId[] }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'report' }
  | { readonly kind: 'about' }

/** A file to look at: of the folder of a place that is shown, or a finished one on this computer. */
export type PreviewedFile = { readonly name: string; readonly sizeBytes: number } & (
  | { readonly kind: 'object'; readonly location: BrowseLocation; readonly entry: Entry }
  /** That of a transfer, or one of a folder transfer: its number from 0, and its path below the folder. */
  | { readonly kind: 'local'; readonly id: TransferId; readonly number: number | null; readonly path: string }
)

/** Transfers whose bucket isn't there. */
export interface BucketDialog {
  readonly kind: 'choose-bucket'
  readonly ids: readonly TransferId[]
  /** Of the first of them. */
  readonly name: string
  readonly placeId: PlaceId
  /** The one that isn't there. */
  readonly bucket: string
}

/** Links: from outside, out of a dropped list, or typed. */
export interface LinksDialog {
  readonly kind: 'links'
  readonly links: readonly string[]
  readonly leftOut?: LinksLeftOut
  readonly typed?: TypedLinks
  readonly destination?: Destination
  /** Takes the dropped list itself. */
  readonly uploadInstead?: () => void
}

/** What came with links and is not among them. */
export interface LinksLeftOut {
  /** Lines that are no links. */
  readonly noLinks?: number
  /** Links beyond those that are taken at a time. */
  readonly tooMany?: number
}

/** The text that links were typed in. */
export interface TypedLinks {
  readonly text: string
  /** The place, in one bucket, whose files lines without an address name. */
  readonly home: Place | null
}

/** Where downloads go; without a folder: the usual one. */
export interface Destination {
  readonly directory: string | null
  readonly onConflict: EnqueueDownloads['onConflict']
}

export const ANYWHERE: Destination = { directory: null, onConflict: 'keep-both' }

/** A question before something is lost. The safe answer is the default. */
export interface Question {
  readonly title: string
  readonly body: string
  readonly safeLabel: string
  readonly confirmLabel: string
  readonly onConfirm: () => void
  /** A third way, that loses nothing. */
  readonly other?: { readonly label: string; readonly onPress: () => void }
  /** The same question as it would be asked by now, while transfers go on; null: there is nothing to ask any more. */
  readonly again?: () => Question | null
}

export interface Toast {
  /** No two are there with the same. */
  readonly key: string
  /** Asked for whenever it is drawn: the language may be another one by then. */
  readonly text: () => string
  readonly actions: readonly ToastAction[]
}

export interface ToastAction {
  readonly label: () => string
  readonly onPress: () => void
}

export interface UiState {
  /** What the middle of the window shows: the transfers, or the objects of a place. */
  readonly view: 'queue' | 'browse'
  readonly filter: Filter
  readonly search: string
  /** The only place whose transfers are shown; null: those of all. */
  readonly onlyPlaceId: PlaceId | null
  readonly sort: Sort
  /** Columns of the list beside the name, in its order. */
  readonly columns: readonly Column[]
  /** Every row is one line high. */
  readonly isCompact: boolean
  /** Groups of which only the head is shown. */
  readonly collapsed: ReadonlySet<TransferGroup>
  /** The bucket that was uploaded to last, of places that have several. */
  readonly buckets: Readonly<Record<PlaceId, string>>
  readonly selection: ReadonlySet<TransferId>
  /** Where a Shift selection starts. */
  readonly anchorId: TransferId | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedId: TransferId | null
  /** The row that the list scrolls to once it is there. */
  readonly revealedId: TransferId | null
  /**
   * The row under the pointer, while a hand is on that; like the focused one it stays where it is while its state
   * changes.
   */
  readonly hoveredId: TransferId | null
  readonly inspectorOpen: boolean
  /** What lies over a narrow window's list. */
  readonly drawer: 'sidebar' | 'inspector' | null
  readonly dialog: DialogState
  /** Above the sheet that is open, if one is; that one stays whatever the answer is. */
  readonly question: Question | null
  /** Stays until dismissed; asked for like the text of a toast. */
  readonly notice: (() => string) | null
  /**
   * Oldest first. Each goes by itself, after its own time. A new object for every message, so that a repeated one starts
   * its time again.
   */
  readonly toasts: readonly Toast[]
}

export const uiStore = createStore<UiState>(() => ({
  view: 'queue',
  filter: 'all',
  search: '',
  onlyPlaceId: null,
  sort: null,
  columns: USUAL_COLUMNS,
  isCompact: false,
  collapsed: new Set<TransferGroup>(),
  buckets: {},
  selection: new Set<TransferId>(),
  anchorId: null,
  focusedId: null,
  revealedId: null,
  hoveredId: null,
  inspectorOpen: true,
  drawer: null,
  dialog: { kind: 'none' },
  question: null,
  notice: null,
  toasts: [],
}))

/** All means all: those of every place. */
export function setFilter(filter: Filter): void {
  uiStore.setState({ view: 'queue', filter, ...(filter === 'all' && { onlyPlaceId: null }) })
}

/** Shows the transfers of one place; null: of every one again. */
export function showOnlyPlace(onlyPlaceId: PlaceId | null): void {
  uiStore.setState({ view: 'queue', onlyPlaceId, ...(onlyPlaceId !== null && { filter: 'all', search: '' }) })
}

/** Sorts by a column, the other way round, or by none again. */
export function sortRowsBy(column: SortColumn): void {
  uiStore.setState(({ sort }) => ({ sort: nextSort(sort, column) }))
}

/** Sorts by a column the way that is first for it; null: by none. */
export function setSort(column: SortColumn | null): void {
  const { sort } = uiStore.getState()
  if (column === (sort?.by ?? null)) return
  uiStore.setState({ sort: column === null ? null : nextSort(null, column) })
}

/** Shows or hides a column of the list. */
export function toggleColumn(column: Column): void {
  uiStore.setState(({ columns }) => ({
    columns: COLUMNS.filter((each) => columns.includes(each) !== (each === column)),
  }))
}

/** Makes rows one line high, or two again. */
export function toggleCompact(): void {
  uiStore.setState(({ isCompact }) => ({ isCompact: !isCompact }))
}

/** Shows or hides the rows of a group. */
export function toggleGroup(group: TransferGroup): void {
  const collapsed = new Set(uiStore.getState().collapsed)
  if (!collapsed.delete(group)) collapsed.add(group)
  uiStore.setState({ collapsed })
}

/** Offers the bucket first when something is uploaded to the place again. */
export function keepBucket(placeId: PlaceId, bucket: string): void {
  uiStore.setState(({ buckets }) => ({ buckets: { ...buckets, [placeId]: bucket } }))
}

export function setSearch(search: string): void {
  uiStore.setState({ search })
}

export function setHovered(hoveredId: TransferId | null): void {
  if (uiStore.getState().hoveredId !== hoveredId) uiStore.setState({ hoveredId })
}

export function openDialog(dialog: DialogState): void {
  uiStore.setState({ dialog })
}

/** Opens it once no other sheet is open: an answer that comes late takes nothing from a person's hands. */
export function openWhenFree(dialog: DialogState): void {
  if (!hasSheet(uiStore.getState())) return openDialog(dialog)
  const stop = uiStore.subscribe(() => {
    // An earlier one may have opened just now.
    if (hasSheet(uiStore.getState())) return
    stop()
    openDialog(dialog)
  })
}

export function closeDialog(): void {
  uiStore.setState({ dialog: { kind: 'none' } })
}

export function ask(question: Question): void {
  uiStore.setState({ question })
}

export function closeQuestion(): void {
  uiStore.setState({ question: null })
}

/** Whether something stands in front of the window. */
export function hasSheet({ dialog, question }: Pick<UiState, 'dialog' | 'question'>): boolean {
  return dialog.kind !== 'none' || question !== null
}

/** No room for the inspector beside the list: it is a drawer. */
export const NARROW = '(max-width: 899px)'

/** Beside the list where there is room, else over it. */
export function toggleInspector(): void {
  if (window.matchMedia(NARROW).matches) toggleDrawer('inspector')
  else uiStore.setState((state) => ({ inspectorOpen: !state.inspectorOpen }))
}

export function isInspectorShown({ inspectorOpen, drawer }: Pick<UiState, 'inspectorOpen' | 'drawer'>): boolean {
  return window.matchMedia(NARROW).matches ? drawer === 'inspector' : inspectorOpen
}

export function showInspector(): void {
  uiStore.setState(window.matchMedia(NARROW).matches ? { drawer: 'inspector' } : { inspectorOpen: true })
}

export function toggleDrawer(drawer: 'sidebar' | 'inspector'): void {
  uiStore.setState((state) => ({ drawer: state.drawer === drawer ? null : drawer }))
}

export function closeDrawer(): void {
  if (uiStore.getState().drawer !== null) uiStore.setState({ drawer: null })
}

export function showNotice(text: () => string): void {
  uiStore.setState({ notice: text })
}

export function dismissNotice(): void {
  uiStore.setState({ notice: null })
}

/** Shows a message beside those that are there; one with the same `key` takes the place of that. */
export function showToast(text: () => string, actions: readonly ToastAction[] = [], key = text()): void {
  uiStore.setState(({ toasts }) => ({ toasts: [...toasts.filter((each) => each.key !== key), { key, text, actions }] }))
}

export function dismissToast(toast: Toast): void {
  uiStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each !== toast) }))
}

/** Moves focus without selecting (Ctrl and an arrow, or a click on a row's button). */
export function focusRow(id: TransferId): void {
  if (uiStore.getState().focusedId !== id) uiStore.setState({ focusedId: id })
}

export function selectOnly(id: TransferId): void {
  uiStore.setState({ selection: new Set([id]), anchorId: id, focusedId: id })
}

/** Selects rows and shows the first, even one that a filter hides or that is still to come. */
export function revealRows(ids: readonly TransferId[]): void {
  const [first = null] = ids
  const selection = new Set(ids)
  const focus = { anchorId: first, focusedId: first, revealedId: first }
  uiStore.setState({ view: 'queue', filter: 'all', search: '', onlyPlaceId: null, selection, ...focus })
}

export function endReveal(): void {
  uiStore.setState({ revealedId: null })
}

export function toggleSelected(id: TransferId): void {
  uiStore.setState(({ selection }) => {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    return { selection: next, anchorId: id, focusedId: id }
  })
}

/** Selects from the anchor to `id`, both included, in the order shown. */
export function selectRange(id: TransferId, shown: readonly TransferId[]): void {
  uiStore.setState(({ anchorId, focusedId }) => {
    const from = shown.indexOf(anchorId ?? focusedId ?? id)
    const to = shown.indexOf(id)
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
    return { selection: new Set(shown.slice(first, last + 1)), focusedId: id, anchorId: shown[from] ?? id }
  })
}

export function selectAll(shown: readonly TransferId[]): void {
  uiStore.setState({ selection: new Set(shown) })
}

/** Selects what a marquee spans, beside what was selected before it; a range by keys goes on from there. */
export function selectSpanned(base: ReadonlySet<TransferId>, spanned: readonly TransferId[]): void {
  const [anchorId = null] = spanned
  const focusedId = spanned.at(-1) ?? uiStore.getState().focusedId
  uiStore.setState({ selection: new Set([...base, ...spanned]), anchorId, focusedId })
}

export function clearSelection(): void {
  uiStore.setState({ selection: new Set(), anchorId: null })
}

/** Rows left the list: they are no longer selected. */
export function forgetRows(removed: readonly TransferId[]): void {
  const { selection, anchorId } = uiStore.getState()
  if (!removed.some((id) => selection.has(id) || id === anchorId)) return
  const next = new Set(selection)
  for (const id of removed) next.delete(id)
  uiStore.setState({ selection: next, anchorId: anchorId !== null && removed.includes(anchorId) ? null : anchorId })
}

/** Lets a request go its way and says when it was refused, so that callers have nothing to await. */
export function run(pending: Promise<unknown>): void {
  pending.catch((error: unknown) => {
    showNotice(() => (error instanceof Error ? error.message : t('window.our-fault')))
  })
}
