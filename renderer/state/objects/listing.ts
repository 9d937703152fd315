import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { assertNever } from '../../../shared/assert.ts'
import type { ListObjectsPage } from '../../../shared/ipc/object-requests.ts'
import { firstIndex } from '../../../shared/first-index.ts'
import { compareNames } from '../../../shared/name-order.ts'
import type { ListedBucket } from '../../../shared/place/place.ts'
import { visibleText } from '../../../shared/visible-text.ts'

/** One line of the browser. */
export interface Entry {
  readonly kind: 'bucket' | 'folder' | 'object'
  /** The whole key, the prefix with its slash, or the bucket's name; unique in a listing. */
  readonly key: string
  /** The displayed name. */
  readonly name: string
  /** 0 if it has no size. */
  readonly sizeBytes: number
  /** Milliseconds since the epoch; 0 if there is none. */
  readonly modifiedMs: number
  readonly etag: string
}

export interface Order {
  readonly by: 'name' | 'size' | 'modified'
  readonly isDescending: boolean
}

/** What is known of one folder, and which of it is shown in which order. */
export interface Listing {
  /** All entries, ordered by name. */
  readonly entries: readonly Entry[]
  /** The entries that match the search, in the chosen order. */
  readonly shown: readonly Entry[]
  readonly search: string
  readonly order: Order
  readonly state: 'listing' | 'listed' | 'failed'
  /** During a refresh, entries from before it that it has not reached yet; null when none is under way. */
  readonly old: ReadonlySet<Entry> | null
  /** Where the page after the last one begins; null before the first and after the last. */
  readonly nextMarker: string | null
  readonly error: Refusal | null
}

export type ListingEvent =
  | { readonly kind: 'began'; readonly isRefresh: boolean }
  /** The listing continues after the last page that arrived. */
  | { readonly kind: 'resumed' }
  | { readonly kind: 'page'; readonly entries: readonly Entry[]; readonly nextMarker: string | null }
  | { readonly kind: 'failed'; readonly error: Refusal }
  | { readonly kind: 'searched'; readonly search: string }
  | { readonly kind: 'ordered'; readonly order: Order }
  /** Entries were created that pages would show. */
  | { readonly kind: 'landed'; readonly entries: readonly Entry[] }
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

/** The listing after an event. A page costs its own sorting and one copy of the present entries. Pure. */
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
      return withEntries(without(listing, new Set(event.entries.map(({ key }) => key))), event.entries)
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

/** The displayed name of a folder within its parent; a folder without a name is shown as its slash. Pure. */
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
 * Drops entries from before a refresh that a page covers. Pages ascend by key, whatever the displayed order, so a page
 * covers every key up to its last one, and the last page covers all that are left.
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
  // They are in order of name already, and a sort keeps that among equals: no names have to be compared.
  const inOrder = order.by === 'name' ? fitting.toReversed() : fitting
  return { ...listing, shown: inOrder.toSorted(compareNumbersOf(order)) }
}

function fits(search: string): (entry: Entry) => boolean {
  const words = search.toLocaleLowerCase()
  return ({ name }) => name.toLocaleLowerCase().includes(words)
}

type Compare = (one: Entry, other: Entry) => number

/** Folders come first in every order. Equal entries go by name. */
function comparatorOf(order: Order): Compare {
  const compareNumbers = compareNumbersOf(order)
  const sign = order.by === 'name' && order.isDescending ? -1 : 1
  return (one, other) => compareNumbers(one, other) || sign * compareEntries(one, other)
}

/** The order without the names. */
function compareNumbersOf({ by, isDescending }: Order): Compare {
  const sign = isDescending ? -1 : 1
  return (one, other) => {
    if (one.kind !== other.kind) return one.kind === 'object' ? 1 : -1
    if (by === 'size') return sign * (one.sizeBytes - other.sizeBytes)
    return by === 'modified' ? sign * (one.modifiedMs - other.modifiedMs) : 0
  }
}

function compareEntries(one: Entry, other: Entry): number {
  return compareNames(one.name, other.name) || (one.key === other.key ? 0 : one.key < other.key ? -1 : 1)
}

/** Merges two ordered lists. Of two equal entries, the newer stays. */
function merge(older: readonly Entry[], newer: readonly Entry[], compare: Compare): readonly Entry[] {
  const [last, first] = [older.at(-1), newer[0]]
  if (first === undefined) return older
  if (last === undefined || compare(last, first) < 0) return [...older, ...newer]
  const merged: Entry[] = []
  let index = 0
  for (const entry of newer) {
    const end = firstIndex(index, older.length, (at) => compare(older[at] as Entry, entry) >= 0)
    for (const before of older.slice(index, end)) merged.push(before)
    index = end
    if (older[index]?.key === entry.key) index += 1
    merged.push(entry)
  }
  return [...merged, ...older.slice(index)]
}
