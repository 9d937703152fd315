import type { Refusal } from '../../../shared/transfer/error-words.ts'
import { assertNever } from '../../../shared/assert.ts'
import type { ListObjectsPage } from '../../../shared/ipc/object-requests.ts'
import type { ListedBucket } from '../../../shared/place/place.ts'
import { visibleText } from '../../../shared/visible-text.ts'

/** One line of the browser. */
export interface Entry {
  readonly kind: 'bucket' | 'folder' | 'object'
  /** The whole key, the prefix with its slash, or the bucket's name: no two of a listing are alike. */
  readonly key: string
  /** What is shown of it. */
  readonly name: string
  /** 0 for what has no size. */
  readonly sizeBytes: number
  /** Milliseconds since the epoch; 0 for what has none. */
  readonly modifiedMs: number
  readonly etag: string
}

export interface Order {
  readonly by: 'name' | 'size' | 'modified'
  readonly isDescending: boolean
}

/** What is known of one folder, and what of it is shown in which order. */
export interface Listing {
  /** By name. */
  readonly entries: readonly Entry[]
  /** Those that fit the search, in the order asked for. */
  readonly shown: readonly Entry[]
  readonly search: string
  readonly order: Order
  readonly state: 'listing' | 'listed' | 'failed'
  /** What a refresh found there and has not come to yet; null once it has, and where there is none under way. */
  readonly old: ReadonlySet<Entry> | null
  /** Where the page after the last one begins; null before the first and after the last. */
  readonly nextMarker: string | null
  readonly error: Refusal | null
}

export type ListingEvent =
  | { readonly kind: 'began'; readonly isRefresh: boolean }
  /** Goes on after the last page that came. */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'page'; readonly entries: readonly Entry[]; readonly nextMarker: string | null }
  | { readonly kind: 'failed'; readonly error: Refusal }
  | { readonly kind: 'searched'; readonly search: string }
  | { readonly kind: 'ordered'; readonly order: Order }
  /** Something is there now that a page would show. */
  | { readonly kind: 'landed'; readonly entry: Entry }
  | { readonly kind: 'removed'; readonly keys: ReadonlySet<string> }

const BY_NAME: Order = { by: 'name', isDescending: false }

export const NOTHING_LISTED: Listing = {
  entries: [],
  shown: [],
  search: '',
  order: BY_NAME,
  state: 'listing',
  old: null,
  nextMarker: null,
  error: null,
}

/** The listing after an event. A page costs its own sorting and one walk through what is there. Pure. */
export function reduceListing(listing: Listing, event: ListingEvent): Listing {
  switch (event.kind) {
    case 'began':
      return event.isRefresh
        ? { ...listing, state: 'listing', old: new Set(listing.entries), nextMarker: null, error: null }
        : { ...NOTHING_LISTED, order: listing.order }
    case 'resumed':
      return { ...listing, state: 'listing', error: null }
    case 'page': {
      const { nextMarker } = event
      const before = withoutCovered(listing, event.entries, nextMarker === null)
      return { ...withEntries(before, event.entries), nextMarker, state: nextMarker === null ? 'listed' : 'listing' }
    }
    case 'failed':
      return { ...listing, state: 'failed', error: event.error }
    case 'searched':
      return shownAnew({ ...listing, search: event.search })
    case 'ordered':
      return shownAnew({ ...listing, order: event.order })
    case 'landed':
      return withEntries(without(listing, new Set([event.entry.key])), [event.entry])
    case 'removed':
      return without(listing, event.keys)
    default:
      return assertNever(event)
  }
}

/** The lines of a page of a folder, without the object that only stands for the folder itself. Pure. */
export function entriesOfPage({ prefixes, objects }: ListObjectsPage, prefix: string): readonly Entry[] {
  const folders = prefixes.map((key) => folderEntry(key, prefix))
  const files = objects
    .filter(({ key }) => key !== prefix)
    .map(({ key, sizeBytes, etag, lastModified }): Entry => {
      return {
        kind: 'object',
        key,
        name: visibleText(key.slice(prefix.length)),
        sizeBytes,
        etag,
        modifiedMs: timeOf(lastModified),
      }
    })
  return [...folders, ...files]
}

export function folderEntry(key: string, prefix: string): Entry {
  return { kind: 'folder', key, name: folderName(key, prefix), sizeBytes: 0, modifiedMs: 0, etag: '' }
}

/** What is shown of a folder within the one around it; one without a name is shown by the slash that makes it. Pure. */
export function folderName(key: string, around: string): string {
  return visibleText(key.slice(around.length, -1)) || '/'
}

export function bucketEntry({ name, createdAt }: ListedBucket): Entry {
  return {
    kind: 'bucket',
    key: name,
    name: visibleText(name),
    sizeBytes: 0,
    modifiedMs: timeOf(createdAt ?? ''),
    etag: '',
  }
}

function timeOf(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? 0 : ms
}

function withEntries(listing: Listing, added: readonly Entry[]): Listing {
  const { search, order, shown } = listing
  const byName = comparatorOf(BY_NAME)
  const entries = merge(listing.entries, added.toSorted(byName), byName)
  if (search === '' && order === BY_NAME) return { ...listing, entries, shown: entries }
  const compare = comparatorOf(order)
  const fitting = added.filter(fits(search)).toSorted(compare)
  return { ...listing, entries, shown: merge(shown, fitting, compare) }
}

function without(listing: Listing, keys: ReadonlySet<string>): Listing {
  return keeping(listing, ({ key }) => !keys.has(key))
}

/**
 * Without what is from before a refresh and is told anew by a page: pages ascend by key, whatever order is shown, so that
 * is all up to its last key, and all that is left with the last page.
 */
function withoutCovered(listing: Listing, page: readonly Entry[], isLast: boolean): Listing {
  const { old } = listing
  if (old === null) return listing
  const end = page.reduce((last, { key }) => (key > last ? key : last), '')
  const kept = keeping(listing, (entry) => !old.has(entry) || (!isLast && entry.key > end))
  return { ...kept, old: kept.entries.some((entry) => old.has(entry)) ? old : null }
}

function keeping(listing: Listing, stays: (entry: Entry) => boolean): Listing {
  const entries = listing.entries.filter(stays)
  const isPlain = listing.shown === listing.entries
  return { ...listing, entries, shown: isPlain ? entries : listing.shown.filter(stays) }
}

function shownAnew(listing: Listing): Listing {
  const { entries, search, order } = listing
  const fitting = search === '' ? entries : entries.filter(fits(search))
  if (order.by === 'name' && !order.isDescending) return { ...listing, order: BY_NAME, shown: fitting }
  return { ...listing, shown: fitting.toSorted(comparatorOf(order)) }
}

function fits(search: string): (entry: Entry) => boolean {
  const words = search.toLocaleLowerCase()
  return ({ name }) => name.toLocaleLowerCase().includes(words)
}

type Compare = (one: Entry, other: Entry) => number

/** Folders come first in every order; what is alike goes by name, which is the order that services list in. */
function comparatorOf({ by, isDescending }: Order): Compare {
  const sign = isDescending ? -1 : 1
  return (one, other) => {
    if (one.kind !== other.kind) return one.kind === 'object' ? 1 : -1
    if (by === 'size' && one.sizeBytes !== other.sizeBytes) return sign * (one.sizeBytes - other.sizeBytes)
    if (by === 'modified' && one.modifiedMs !== other.modifiedMs) return sign * (one.modifiedMs - other.modifiedMs)
    const name = one.key === other.key ? 0 : one.key < other.key ? -1 : 1
    return by === 'name' ? sign * name : name
  }
}

/** Two ordered lists as one; of two alike the newer stays. */
function merge(older: readonly Entry[], newer: readonly Entry[], compare: Compare): readonly Entry[] {
  const [last, first] = [older.at(-1), newer[0]]
  if (first === undefined) return older
  // Pages come in order, so this is how nearly all of them go.
  if (last === undefined || compare(last, first) < 0) return [...older, ...newer]
  const merged: Entry[] = []
  let index = 0
  for (const entry of newer) {
    for (let next = older[index]; next !== undefined && compare(next, entry) < 0; next = older[index]) {
      merged.push(next)
      index += 1
    }
    if (older[index]?.key === entry.key) index += 1
    merged.push(entry)
  }
  return [...merged, ...older.slice(index)]
}
