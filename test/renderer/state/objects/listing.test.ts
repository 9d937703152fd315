import { expect, test } from 'vitest'
import {
  entriesOfPage,
  folderEntry,
  NOTHING_LISTED,
  reduceListing,
  type Entry,
  type Listing,
  type ListingEvent,
} from '../../../../renderer/state/objects/listing.ts'

function object(key: string, sizeBytes = 1, modifiedMs = 1): Entry {
  return { kind: 'object', key, name: key, sizeBytes, modifiedMs, etag: '' }
}

const page = (entries: readonly Entry[], isLast = false): ListingEvent => ({
  kind: 'page',
  entries,
  nextMarker: isLast ? null : (entries.at(-1)?.key ?? ''),
})

function after(...events: readonly ListingEvent[]): Listing {
  return events.reduce(reduceListing, NOTHING_LISTED)
}

const namesOf = ({ shown }: Listing) => shown.map(({ key }) => key)

test('pages come in as they are, folders before objects, a folder that two pages name once', () => {
  const first = [folderEntry('a/', ''), object('b')]
  const listing = after(page(first), page([folderEntry('a/', ''), folderEntry('c/', ''), object('d')], true))
  expect(namesOf(listing)).toEqual(['a/', 'c/', 'b', 'd'])
  expect(listing.state).toBe('listed')
})

test('pages that come in find their place in any order and filter', () => {
  const listing = after(
    { kind: 'ordered', order: { by: 'size', isDescending: true } },
    { kind: 'searched', search: 'FILE' },
    page([object('file 1', 10), object('file 2', 30), object('other', 20)]),
    page([object('file 3', 20), object('file 4', 30), folderEntry('files/', '')]),
  )
  expect(namesOf(listing)).toEqual(['files/', 'file 2', 'file 4', 'file 3', 'file 1'])
  expect(namesOf(reduceListing(listing, { kind: 'searched', search: '' }))).toContain('other')
  const byName = reduceListing(listing, { kind: 'ordered', order: { by: 'name', isDescending: true } })
  expect(namesOf(byName)).toEqual(['files/', 'file 4', 'file 3', 'file 2', 'file 1'])
})

test('a refresh keeps what is shown until its first page, and a failure keeps what came', () => {
  const before = after(page([object('old')], true))
  const begun = reduceListing(before, { kind: 'began', isRefresh: true })
  expect([namesOf(begun), begun.state]).toEqual([['old'], 'listing'])
  const listing = reduceListing(begun, page([object('new')]))
  expect(namesOf(listing)).toEqual(['new'])
  const failed = reduceListing(listing, { kind: 'failed', error: 'gone' })
  expect(failed).toMatchObject({ state: 'failed', error: 'gone', nextMarker: 'new', isStale: false })
  expect(namesOf(failed)).toEqual(['new'])
  expect(reduceListing(begun, { kind: 'failed', error: 'gone' })).toMatchObject({ nextMarker: null, isStale: true })
})

test('what broke off goes on where it did', () => {
  const failed = after(page([object('a')]), { kind: 'failed', error: 'gone' })
  const resumed = reduceListing(failed, { kind: 'resumed' })
  expect(resumed).toMatchObject({ state: 'listing', error: null })
  expect(namesOf(reduceListing(resumed, page([object('b')], true)))).toEqual(['a', 'b'])
})

test('another folder begins empty, without the search, in the same order', () => {
  const order = { by: 'size', isDescending: true } as const
  const listing = after({ kind: 'ordered', order }, { kind: 'searched', search: 'x' }, page([object('x')]))
  expect(reduceListing(listing, { kind: 'began', isRefresh: false })).toEqual({ ...NOTHING_LISTED, order })
})

test('what lands replaces what was there, and what is removed is gone', () => {
  const bySize = { kind: 'ordered', order: { by: 'size', isDescending: false } } as const
  const listing = after(page([object('a', 1), object('b', 2)]), bySize, { kind: 'landed', entry: object('a', 3) })
  expect(namesOf(listing)).toEqual(['b', 'a'])
  expect(namesOf(reduceListing(listing, { kind: 'removed', keys: new Set(['b']) }))).toEqual(['a'])
})

test('the object that only stands for the folder is not one of its lines', () => {
  const listed = { etag: '', lastModified: '2026-01-02T03:04:05.000Z', sizeBytes: 0 }
  const answer = {
    prefixes: ['m//', 'm/raw/'],
    objects: [
      { key: 'm/', ...listed },
      { key: 'm/a', ...listed },
    ],
    nextMarker: null,
  }
  expect(entriesOfPage(answer, 'm/')).toMatchObject([
    { kind: 'folder', key: 'm//', name: '/' },
    { kind: 'folder', key: 'm/raw/', name: 'raw' },
    { kind: 'object', key: 'm/a', name: 'a', modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5) },
  ])
})

test('100,000 names come in by pages without one being walked through for each', () => {
  let listing = NOTHING_LISTED
  for (let start = 0; start < 100_000; start += 1000) {
    const entries = Array.from({ length: 1000 }, (_, index) => object(String(start + index).padStart(6, '0'), index))
    listing = reduceListing(listing, page(entries))
  }
  expect(listing.shown).toHaveLength(100_000)
  expect(listing.shown).toBe(listing.entries)
})
