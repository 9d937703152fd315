// The object browser: where it is, what is listed there, what is dragged over it.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ListObjectsPage, ListObjectsRequest } from '../../shared/ipc/object-requests.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { requestUntil } from '../bridge.ts'
import { appStore, chooseCurrentPlace, placeById } from './app-store.ts'
import { gatherPages } from './gather-pages.ts'
import {
  bucketEntry,
  entriesOfPage,
  NOTHING_LISTED,
  reduceListing,
  type Entry,
  type Listing,
  type ListingEvent,
  type Order,
} from './listing.ts'
import { locationAbove, type BrowseLocation } from './location.ts'
import { uiStore } from './ui-store.ts'

export interface BrowseState {
  readonly location: BrowseLocation | null
  readonly listing: Listing
  /** What is looked for in the folder and those below it; null: the folder itself is shown. */
  readonly sought: string | null
  /** Keys; those that are not shown count for nothing. */
  readonly selection: ReadonlySet<string>
  /** Where a Shift selection starts. */
  readonly anchorKey: string | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedKey: string | null
  /** Rows are being dragged. */
  readonly isDragging: boolean
  /** The row that files are dragged over. */
  readonly dropKey: string | null
  /** The place of the sidebar that files are dragged over. */
  readonly dropPlaceId: PlaceId | null
}

export const browseStore = createStore<BrowseState>(() => ({
  location: null,
  listing: NOTHING_LISTED,
  sought: null,
  selection: new Set<string>(),
  anchorKey: null,
  focusedKey: null,
  isDragging: false,
  dropKey: null,
  dropPlaceId: null,
}))

/** `pick` must return a primitive or a stored reference. */
export function useBrowse<Picked>(pick: (state: BrowseState) => Picked): Picked {
  return useStore(browseStore, pick)
}

/** The listing that is being read; another one leaves it where it is. */
let reading = new AbortController()

function apply(event: ListingEvent): void {
  browseStore.setState(({ listing }) => ({ listing: reduceListing(listing, event) }))
}

/** Shows a place, where it was left if something else was shown meanwhile. */
export function openPlace(place: Place): void {
  const { location } = browseStore.getState()
  const isReturn = uiStore.getState().view !== 'browse' && location?.placeId === place.id
  chooseCurrentPlace(place.id)
  uiStore.setState({ view: 'browse' })
  if (!isReturn) openLocation({ placeId: place.id, bucket: place.bucket, prefix: '' })
}

/** The folder that is open now, where files would go; null while something else is shown. */
export function shownLocation(): BrowseLocation | null {
  const { location } = browseStore.getState()
  return uiStore.getState().view === 'browse' && location !== null && location.bucket !== '' ? location : null
}

/** Lists a folder from its beginning; focus goes to `focusedKey`, else to its first row. */
export function openLocation(location: BrowseLocation, focusedKey: string | null = null): void {
  browseStore.setState({ location, sought: null, selection: new Set(), anchorKey: focusedKey, focusedKey })
  apply({ kind: 'began', isRefresh: false })
  void read(location, null)
}

/** Looks for words in the names of all that is in the folder and below it. */
export function searchBelow(words: string): void {
  const { location } = browseStore.getState()
  const sought = words.trim()
  if (location === null || location.bucket === '' || sought === '') return
  browseStore.setState({ sought, selection: new Set(), anchorKey: null, focusedKey: null })
  apply({ kind: 'began', isRefresh: false })
  void read(location, null)
}

/** Shows the folder again that was searched. */
export function endSearch(): void {
  const { location } = browseStore.getState()
  if (location !== null) openLocation(location)
}

/** Reads no further; what was found stays, and the search can go on. */
export function stopSearch(): void {
  reading.abort()
  apply({ kind: 'failed', error: 'The search was stopped.' })
}

/** Opens the folder that an object is in, with focus on it. */
export function openAround(key: string): void {
  const { location } = browseStore.getState()
  if (location !== null) openLocation({ ...location, prefix: key.slice(0, key.lastIndexOf('/') + 1) }, key)
}

/** Lists the same folder anew; what is shown stays until the first page has come. */
export function refresh(): void {
  const { location } = browseStore.getState()
  if (location === null) return
  apply({ kind: 'began', isRefresh: true })
  void read(location, null)
}

/** Goes on with a listing that broke off where it did; anew where nothing of it has come. */
export function retryListing(): void {
  const { location, listing } = browseStore.getState()
  if (location === null || listing.nextMarker === null) return refresh()
  apply({ kind: 'resumed' })
  void read(location, listing.nextMarker)
}

/** Opens the folder around this one, with focus on the one that was left; from what was found, the folder itself. */
export function goUp(): void {
  const { location, sought } = browseStore.getState()
  if (sought !== null) return endSearch()
  const place = placeById(appStore.getState(), location?.placeId ?? null)
  const above = location === null || place === null ? null : locationAbove(location, place)
  if (above !== null && location !== null)
    openLocation(above, location.prefix === '' ? location.bucket : location.prefix)
}

/** Opens a bucket or folder. */
export function openEntry({ kind, key }: Pick<Entry, 'kind' | 'key'>): void {
  const { location } = browseStore.getState()
  if (location === null || kind === 'object') return
  openLocation(kind === 'bucket' ? { ...location, bucket: key } : { ...location, prefix: key })
}

/** Reads on from a marker, in place of what is being read, which main gives up. */
async function read(location: BrowseLocation, from: string | null): Promise<void> {
  reading.abort()
  const { signal } = (reading = new AbortController())
  const pages = gatherPages((entries, nextMarker) => apply({ kind: 'page', entries, nextMarker }))
  signal.addEventListener('abort', pages.drop)
  const { placeId, bucket, prefix } = location
  try {
    if (bucket === '') {
      const buckets = await requestUntil(signal, 'buckets:list', { placeId })
      if (!signal.aborted) pages.add(buckets.map(bucketEntry), null)
      return
    }
    let marker = from
    do {
      const page = await pageOf({ placeId, bucket, prefix, marker }, signal)
      if (signal.aborted) return
      marker = page.nextMarker
      pages.add(entriesOfPage(page, prefix), marker)
    } while (marker !== null)
  } catch (failure) {
    if (signal.aborted) return
    pages.flush()
    apply({ kind: 'failed', error: failure instanceof Error ? failure.message : 'The list could not be read.' })
  }
}

async function pageOf(request: ListObjectsRequest, signal: AbortSignal): Promise<ListObjectsPage> {
  const { sought: words } = browseStore.getState()
  if (words === null) return requestUntil(signal, 'objects:list', request)
  return { prefixes: [], ...(await requestUntil(signal, 'objects:search', { ...request, words })) }
}

export function setObjectSearch(search: string): void {
  apply({ kind: 'searched', search })
}

/** Sorts by a column; the same one again turns the order around. */
export function sortBy(by: Order['by']): void {
  const { order } = browseStore.getState().listing
  apply({ kind: 'ordered', order: { by, isDescending: order.by === by && !order.isDescending } })
}

/** Something is there now; shown if it belongs to the folder that is open. */
export function noteLanded(
  { placeId, bucket }: Omit<BrowseLocation, 'prefix'>,
  entryIn: (prefix: string) => Entry | null,
): void {
  const { location, listing, sought } = browseStore.getState()
  const isShown = location?.placeId === placeId && location.bucket === bucket
  if (!isShown || listing.state === 'failed' || sought !== null) return
  const entry = entryIn(location.prefix)
  if (entry !== null) apply({ kind: 'landed', entry })
}

/** Objects came below a prefix whose names are not all known here: a folder they may be in is listed anew. */
export function noteFilled({ placeId, bucket, prefix }: BrowseLocation): void {
  const { location } = browseStore.getState()
  if (location?.placeId !== placeId || location.bucket !== bucket) return
  if (prefix.startsWith(location.prefix) || location.prefix.startsWith(prefix)) refresh()
}

/**
 * A place has other settings: what is shown of it is from before. Its own bucket is opened if that is another one now.
 */
export function notePlaceChanged(id: PlaceId): void {
  const { location } = browseStore.getState()
  const place = placeById(appStore.getState(), id)
  if (location?.placeId !== id || place === null) return
  const isElsewhere = place.bucket !== '' && place.bucket !== location.bucket
  openLocation(isElsewhere ? { placeId: id, bucket: place.bucket, prefix: '' } : location)
}

export function noteRemoved(keys: ReadonlySet<string>): void {
  apply({ kind: 'removed', keys })
}

export function setDragging(isDragging: boolean): void {
  browseStore.setState({ isDragging })
}

export function setDropTarget(dropKey: string | null, dropPlaceId: PlaceId | null): void {
  const before = browseStore.getState()
  if (before.dropKey !== dropKey || before.dropPlaceId !== dropPlaceId) browseStore.setState({ dropKey, dropPlaceId })
}
