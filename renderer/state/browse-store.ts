// The state of the object browser: its list, and what is dragged over it.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { appStore, chooseCurrentPlace, placeById } from './app-store.ts'
import type { Entry } from './objects/listing.ts'
import { topOf, type BrowseLocation } from './objects/location.ts'
import {
  applyToListing,
  createObjectList,
  lookAgain,
  openLocation,
  refresh,
  useObjectList,
  type ObjectListState,
} from './objects/object-list.ts'
import { focusBeside } from './objects/selection.ts'
import { uiStore } from './ui/ui-store.ts'

/** The list of objects of the open place. */
export const browser = createObjectList({ placeOf: (id) => placeById(appStore.getState(), id), isPicker: false })

/** `pick` must return a primitive or a stored reference. */
export function useBrowse<Picked>(pick: (state: ObjectListState) => Picked): Picked {
  return useObjectList(browser, pick)
}

/** Rows of the browser that are dragged, and the folder they are from. */
export interface DraggedRows {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
}

export interface DragState {
  /** Null: none are. */
  readonly rows: DraggedRows | null
  /** The row, or the step of the path, that files or rows are dragged over. */
  readonly dropKey: string | null
  /** The place in the sidebar that files are dragged over. */
  readonly dropPlaceId: PlaceId | null
}

const NOTHING_DRAGGED: DragState = { rows: null, dropKey: null, dropPlaceId: null }

const dragStore = createStore<DragState>(() => NOTHING_DRAGGED)

/** `pick` must return a primitive or a stored reference. */
export function useDrag<Picked>(pick: (state: DragState) => Picked): Picked {
  return useStore(dragStore, pick)
}

/** Shows a place, in the folder where it was left if something else was shown in between. */
export function openPlace(place: Place): void {
  const { location } = browser.store.getState()
  const isReturn = uiStore.getState().view !== 'browse' && location?.placeId === place.id
  chooseCurrentPlace(place.id)
  uiStore.setState({ view: 'browse' })
  if (!isReturn) openLocation(browser, topOf(place))
}

/** The open folder, where files would go; null while something else is shown. */
export function shownLocation(): BrowseLocation | null {
  const { location } = browser.store.getState()
  return uiStore.getState().view === 'browse' && location !== null && location.bucket !== '' ? location : null
}

/** Shows an object or folder that was just created, if it belongs to the open folder. */
export function noteLanded(
  { placeId, bucket }: Omit<BrowseLocation, 'prefix'>,
  entryIn: (prefix: string) => Entry | null,
): void {
  const { location, listing, sought } = browser.store.getState()
  const isShown = location?.placeId === placeId && location.bucket === bucket
  if (!isShown || listing.state === 'failed' || sought !== null) return
  const entry = entryIn(location.prefix)
  if (entry !== null) applyToListing(browser, { kind: 'landed', entries: [entry] })
}

/** Lists the open folder again if it may contain objects that were created below a prefix, whose names aren't known. */
export function noteFilled(filled: BrowseLocation): void {
  if (mayShowWhatIsIn(filled)) refresh(browser)
}

/** How often a folder that is being filled is looked at, milliseconds. */
const LOOK_AGAIN_MS = 3000
/** One page of a listing. A folder that has more lines is only listed again once it is filled. */
const MOST_LINES_LOOKED_AT = 1000

let lastLookMs = -Infinity

/** Shows now and then what has been created so far below a prefix, where more is being created. Names aren't known. */
export function noteFilling(filled: BrowseLocation, nowMs: number): void {
  const { listing, sought } = browser.store.getState()
  if (uiStore.getState().view !== 'browse' || sought !== null || !mayShowWhatIsIn(filled)) return
  if (listing.entries.length > MOST_LINES_LOOKED_AT || nowMs < lastLookMs + LOOK_AGAIN_MS) return
  lastLookMs = nowMs
  void lookAgain(browser)
}

/** Whether the open folder is that one, is in it, or contains it. */
function mayShowWhatIsIn({ placeId, bucket, prefix }: BrowseLocation): boolean {
  const { location } = browser.store.getState()
  if (location?.placeId !== placeId || location.bucket !== bucket) return false
  return prefix.startsWith(location.prefix) || location.prefix.startsWith(prefix)
}

/**
 * Refreshes a place whose settings have changed. If its bucket or folder is another one now, opens that.
 */
export function notePlaceChanged(id: PlaceId): void {
  const { location } = browser.store.getState()
  const place = placeById(appStore.getState(), id)
  if (location?.placeId !== id || place === null) return
  const top = topOf(place)
  const isInside = (top.bucket === '' || top.bucket === location.bucket) && location.prefix.startsWith(top.prefix)
  openLocation(browser, isInside ? location : top)
}

export function noteRemoved(keys: ReadonlySet<string>): void {
  focusBeside(browser, keys)
  applyToListing(browser, { kind: 'removed', keys })
}

export function beginDrag(rows: DraggedRows): void {
  dragStore.setState({ ...NOTHING_DRAGGED, rows })
}

export function endDrag(): void {
  dragStore.setState(NOTHING_DRAGGED)
}

export function draggedRows(): DraggedRows | null {
  return dragStore.getState().rows
}

export function setDropTarget(dropKey: string | null, dropPlaceId: PlaceId | null): void {
  const before = dragStore.getState()
  if (before.dropKey !== dropKey || before.dropPlaceId !== dropPlaceId) dragStore.setState({ dropKey, dropPlaceId })
}
