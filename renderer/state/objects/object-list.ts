// A list of objects to browse: its location, its entries and its selection. The browser has one, and a sheet may have
// its own.

import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListObjectsPage, ListObjectsRequest } from '../../../shared/ipc/object-requests.ts'
import type { Place, PlaceId } from '../../../shared/place/place.ts'
import { request, RequestError, requestUntil } from '../../bridge.ts'
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
import { message } from '../../../shared/language/message.ts'

export interface ObjectListState {
  readonly location: BrowseLocation | null
  readonly listing: Listing
  /** The words that are searched for in and below the folder; null: the folder itself is shown. */
  readonly sought: string | null
  /** The selected entries by key. */
  readonly selection: ReadonlyMap<string, Entry>
  /** Where a Shift selection starts. */
  readonly anchorKey: string | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedKey: string | null
}

export interface ObjectList {
  readonly store: StoreApi<ObjectListState>
  /** The place of a location, whose bucket is the top of the list; null once the place is removed. */
  readonly placeOf: (id: PlaceId) => Place | null
  /**
   * Whether the list is for picking: the selection stays while another folder opens, and a press adds to it. Otherwise
   * the selection is what commands act on, and contains only lines that are shown.
   */
  readonly isPicker: boolean
  /** Aborts the reading that is under way. */
  reading: AbortController
}

export function createObjectList({ placeOf, isPicker }: Pick<ObjectList, 'placeOf' | 'isPicker'>): ObjectList {
  const store = createStore<ObjectListState>(() => ({
    location: null,
    listing: NOTHING_LISTED,
    sought: null,
    selection: new Map<string, Entry>(),
    anchorKey: null,
    focusedKey: null,
  }))
  return { store, placeOf, isPicker, reading: new AbortController() }
}

/** `pick` must return a primitive or a stored reference. */
export function useObjectList<Picked>({ store }: ObjectList, pick: (state: ObjectListState) => Picked): Picked {
  return useStore(store, pick)
}

export function applyToListing({ store }: ObjectList, event: ListingEvent): void {
  store.setState(({ listing }) => ({ listing: reduceListing(listing, event) }))
}

/** Lists a folder from its beginning. The focus goes to `focusedKey`, or else to the first row. */
export function openLocation(list: ObjectList, location: BrowseLocation, focusedKey: string | null = null): void {
  list.store.setState({ location, sought: null, ...unselected(list), anchorKey: focusedKey, focusedKey })
  applyToListing(list, { kind: 'began', isRefresh: false })
  void read(list, location, null)
}

/** Searches for words in the names of everything in and below the folder. */
export function searchBelow(list: ObjectList, words: string): void {
  const { location } = list.store.getState()
  const sought = words.trim()
  if (location === null || location.bucket === '' || sought === '') return
  list.store.setState({ sought, ...unselected(list), anchorKey: null, focusedKey: null })
  applyToListing(list, { kind: 'began', isRefresh: false })
  void read(list, location, null)
}

/** Ends a search and shows its folder again. */
export function endSearch(list: ObjectList): void {
  const { location } = list.store.getState()
  if (location !== null) openLocation(list, location)
}

/** Stops a search. What was found stays, and the search can be continued. */
export function stopSearch(list: ObjectList): void {
  stopReading(list)
  applyToListing(list, { kind: 'failed', error: message('window.search-stopped') })
}

/** Opens the folder that an object is in, with focus on it. */
export function openAround(list: ObjectList, key: string): void {
  const { location } = list.store.getState()
  if (location !== null) openLocation(list, { ...location, prefix: key.slice(0, key.lastIndexOf('/') + 1) }, key)
}

/** Lists the same folder again. Each shown entry stays until the page arrives that it would be on. */
export function refresh(list: ObjectList): void {
  const { location } = list.store.getState()
  if (location === null) return
  applyToListing(list, { kind: 'began', isRefresh: true })
  void read(list, location, null)
}

/**
 * Adds what is new on the folder's first page, without a word that it is read. A failure is left to the next refresh.
 */
export async function lookAgain(list: ObjectList): Promise<void> {
  const { location } = list.store.getState()
  if (location === null || location.bucket === '' || !isListed(list, location)) return
  const page = await request('objects:list', { ...location, marker: null }).catch(() => null)
  if (page === null || !isListed(list, location)) return
  applyToListing(list, { kind: 'landed', entries: entriesOfPage(page, location.prefix) })
}

/** Whether that folder, and not a search in it, is shown and read to its end. */
function isListed({ store }: ObjectList, where: BrowseLocation): boolean {
  const { location, listing, sought } = store.getState()
  return location === where && sought === null && listing.state === 'listed'
}

/** Continues a listing where it broke off, or starts again if nothing had arrived. */
export function retryListing(list: ObjectList): void {
  const { location, listing } = list.store.getState()
  if (location === null || listing.nextMarker === null) return refresh(list)
  applyToListing(list, { kind: 'resumed' })
  void read(list, location, listing.nextMarker)
}

/** Opens the parent folder, with focus on the folder that was left; from search results, returns to the folder. */
export function goUp(list: ObjectList): void {
  const { location, sought } = list.store.getState()
  if (sought !== null) return endSearch(list)
  const place = location === null ? null : list.placeOf(location.placeId)
  const above = location === null || place === null ? null : locationAbove(location, place)
  if (above !== null && location !== null)
    openLocation(list, above, location.prefix === '' ? location.bucket : location.prefix)
}

/** Opens a bucket or folder. */
export function openEntry(list: ObjectList, { kind, key }: Pick<Entry, 'kind' | 'key'>): void {
  const { location } = list.store.getState()
  if (location === null || kind === 'object') return
  openLocation(list, kind === 'bucket' ? { ...location, bucket: key } : { ...location, prefix: key })
}

export function setObjectSearch(list: ObjectList, search: string): void {
  applyToListing(list, { kind: 'searched', search })
}

/** Sorts by a column; choosing the same column again reverses the order. */
export function sortBy(list: ObjectList, by: Order['by']): void {
  const { order } = list.store.getState().listing
  applyToListing(list, { kind: 'ordered', order: { by, isDescending: order.by === by && !order.isDescending } })
}

/** Makes main give up the reading that is under way. */
export function stopReading({ reading }: ObjectList): void {
  reading.abort()
}

function unselected({ isPicker }: ObjectList): Partial<Pick<ObjectListState, 'selection'>> {
  return isPicker ? {} : { selection: new Map() }
}

/** After this many pages or lines, reading goes on only if the person wants more, because a list may be endless. */
const MOST_PAGES = 10_000
const MOST_LINES = 1_000_000

/** Reads on from a marker, replacing any reading that is under way. */
async function read(list: ObjectList, location: BrowseLocation, from: string | null): Promise<void> {
  stopReading(list)
  const { signal } = (list.reading = new AbortController())
  const pages = gatherPages((entries, nextMarker) => applyToListing(list, { kind: 'page', entries, nextMarker }))
  signal.addEventListener('abort', pages.drop)
  const { sought } = list.store.getState()
  const { placeId, bucket, prefix } = location
  try {
    if (bucket === '') {
      const buckets = await requestUntil(signal, 'buckets:list', { placeId })
      if (!signal.aborted) pages.add(buckets.map(bucketEntry), null)
      return
    }
    let marker = from
    let lines = 0
    for (let count = 0; count < MOST_PAGES && lines < MOST_LINES; count += 1) {
      const page = await pageOf({ placeId, bucket, prefix, marker }, sought, signal)
      if (signal.aborted) return
      const entries = entriesOfPage(page, prefix)
      lines += entries.length
      marker = page.nextMarker
      pages.add(entries, marker)
      if (marker === null) return
    }
    throw new RequestError({ code: 'failed', message: message('window.list-endless') })
  } catch (failure) {
    if (signal.aborted) return
    pages.flush()
    const error = failure instanceof RequestError ? failure.refusal : message('window.list-unreadable')
    applyToListing(list, { kind: 'failed', error })
  }
}

async function pageOf(
  request: ListObjectsRequest,
  words: string | null,
  signal: AbortSignal,
): Promise<ListObjectsPage> {
  if (words === null) return requestUntil(signal, 'objects:list', request)
  return { prefixes: [], ...(await requestUntil(signal, 'objects:search', { ...request, words })) }
}
