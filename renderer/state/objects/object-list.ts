// A list of objects to look through: where it is, what is there, what of it is selected. The browser is one, and a sheet
// may have its own.

import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListObjectsPage, ListObjectsRequest } from '../../../shared/ipc/object-requests.ts'
import type { Place, PlaceId } from '../../../shared/place/place.ts'
import { RequestError, requestUntil } from '../../bridge.ts'
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
  /** What is looked for in the folder and those below it; null: the folder itself is shown. */
  readonly sought: string | null
  /** By key. */
  readonly selection: ReadonlyMap<string, Entry>
  /** Where a Shift selection starts. */
  readonly anchorKey: string | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedKey: string | null
}

export interface ObjectList {
  readonly store: StoreApi<ObjectListState>
  /** The place of a location, whose bucket is the top of the list; null once it is removed. */
  readonly placeOf: (id: PlaceId) => Place | null
  /**
   * Whether it is there to pick from: what is selected stays while another folder opens, and a press adds to it. Otherwise
   * what is selected is what will be acted on: lines that are shown, and only those.
   */
  readonly isPicker: boolean
  /** Ends what is being read. */
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

/** Lists a folder from its beginning; focus goes to `focusedKey`, else to its first row. */
export function openLocation(list: ObjectList, location: BrowseLocation, focusedKey: string | null = null): void {
  list.store.setState({ location, sought: null, ...unselected(list), anchorKey: focusedKey, focusedKey })
  applyToListing(list, { kind: 'began', isRefresh: false })
  void read(list, location, null)
}

/** Looks for words in the names of all that is in the folder and below it. */
export function searchBelow(list: ObjectList, words: string): void {
  const { location } = list.store.getState()
  const sought = words.trim()
  if (location === null || location.bucket === '' || sought === '') return
  list.store.setState({ sought, ...unselected(list), anchorKey: null, focusedKey: null })
  applyToListing(list, { kind: 'began', isRefresh: false })
  void read(list, location, null)
}

/** Shows the folder again that was searched. */
export function endSearch(list: ObjectList): void {
  const { location } = list.store.getState()
  if (location !== null) openLocation(list, location)
}

/** Reads no further; what was found stays, and the search can go on. */
export function stopSearch(list: ObjectList): void {
  stopReading(list)
  applyToListing(list, { kind: 'failed', error: message('window.search-stopped') })
}

/** Opens the folder that an object is in, with focus on it. */
export function openAround(list: ObjectList, key: string): void {
  const { location } = list.store.getState()
  if (location !== null) openLocation(list, { ...location, prefix: key.slice(0, key.lastIndexOf('/') + 1) }, key)
}

/** Lists the same folder anew; what is shown stays until the page comes that it would be on. */
export function refresh(list: ObjectList): void {
  const { location } = list.store.getState()
  if (location === null) return
  applyToListing(list, { kind: 'began', isRefresh: true })
  void read(list, location, null)
}

/** Goes on with a listing that broke off where it did; anew where nothing of it has come. */
export function retryListing(list: ObjectList): void {
  const { location, listing } = list.store.getState()
  if (location === null || listing.nextMarker === null) return refresh(list)
  applyToListing(list, { kind: 'resumed' })
  void read(list, location, listing.nextMarker)
}

/** Opens the folder around this one, with focus on the one that was left; from what was found, the folder itself. */
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

/** Sorts by a column; the same one again turns the order around. */
export function sortBy(list: ObjectList, by: Order['by']): void {
  const { order } = list.store.getState().listing
  applyToListing(list, { kind: 'ordered', order: { by, isDescending: order.by === by && !order.isDescending } })
}

/** Main gives up what is being read. */
export function stopReading({ reading }: ObjectList): void {
  reading.abort()
}

function unselected({ isPicker }: ObjectList): Partial<Pick<ObjectListState, 'selection'>> {
  return isPicker ? {} : { selection: new Map() }
}

/** After so many pages, or lines, a list goes on only if a person wants more of it: it may have no end. */
const MOST_PAGES = 10_000
const MOST_LINES = 1_000_000

/** Reads on from a marker, in place of what is being read. */
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
