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

test('names are in the order that people expect, not in that of their bytes', () => {
  const first = [object('IMG_1.jpg'), object('IMG_10.jpg'), object('Zoo.txt'), folderEntry('Raw/', '')]
  const listing = after(page(first), page([object('apple.txt'), object('img_2.jpg'), folderEntry('cut/', '')], true))
  const shown = ['cut/', 'Raw/', 'apple.txt', 'IMG_1.jpg', 'img_2.jpg', 'IMG_10.jpg', 'Zoo.txt']
  expect(namesOf(listing)).toEqual(shown)
  const backwards = reduceListing(listing, { kind: 'ordered', order: { by: 'name', isDescending: true } })
  expect(namesOf(backwards)).toEqual([...shown.slice(0, 2).reverse(), ...shown.slice(2).reverse()])
  const bySize = reduceListing(backwards, { kind: 'ordered', order: { by: 'size', isDescending: true } })
  expect(namesOf(bySize)).toEqual(shown)
})

test('names that differ in their case alone are two lines', () => {
  const listing = after(page([object('A'), object('B'), object('a')]), page([object('a', 2), object('b')], true))
  expect(sizesOf(listing)).toEqual(['A 1', 'a 2', 'B 1', 'b 1'])
})

const REFRESH: ListingEvent = { kind: 'began', isRefresh: true }
const old = (...keys: readonly string[]) =>
  page(
    keys.map((key) => object(key, 1)),
    true,
  )
const sizesOf = ({ shown }: Listing) => shown.map(({ key, sizeBytes }) => `${key} ${String(sizeBytes)}`)

test('a refresh replaces what is shown page by page, and drops at its end what is gone', () => {
  const begun = after(old('a', 'b', 'c', 'd', 'e', 'f'), REFRESH)
  expect([namesOf(begun).length, begun.state]).toEqual([6, 'listing'])
  const first = reduceListing(begun, page([object('a', 2), object('bb', 2), object('c', 2)]))
  expect(sizesOf(first)).toEqual(['a 2', 'bb 2', 'c 2', 'd 1', 'e 1', 'f 1'])
  const last = reduceListing(first, page([object('e', 2)], true))
  expect(sizesOf(last)).toEqual(['a 2', 'bb 2', 'c 2', 'e 2'])
  expect(last).toMatchObject({ state: 'listed', old: null })
})

test.each([
  [{ by: 'size', isDescending: false }, '', ['a 1', 'd 1', 'c 3', 'b 9']],
  [{ by: 'name', isDescending: true }, '', ['d 1', 'c 3', 'b 9', 'a 1']],
  [{ by: 'size', isDescending: true }, 'b', ['b 9']],
] as const)('a refresh has no line twice in the order %j with the filter “%s”', (order, search, shown) => {
  const before = [old('a', 'b', 'c', 'd'), { kind: 'ordered', order }, { kind: 'searched', search }, REFRESH] as const
  const first = page([object('a', 1), object('b', 9), object('c', 3)])
  expect(sizesOf(after(...before, first))).toEqual(shown)
  expect(sizesOf(after(...before, first, page([object('d', 1)], true)))).toEqual(shown)
})

test('a refresh that breaks off leaves the rest as it was known, and goes on where it broke off', () => {
  const failure: ListingEvent = { kind: 'failed', error: 'gone' }
  const begun = after(old('a', 'b', 'c'), REFRESH)
  expect(reduceListing(begun, failure)).toMatchObject({ state: 'failed', nextMarker: null, shown: begun.shown })
  const failed = reduceListing(reduceListing(begun, page([object('b', 2)])), failure)
  expect([sizesOf(failed), failed.nextMarker, failed.old === null]).toEqual([['b 2', 'c 1'], 'b', false])
  const resumed = reduceListing(reduceListing(failed, { kind: 'resumed' }), page([object('d', 2)], true))
  expect(sizesOf(resumed)).toEqual(['b 2', 'd 2'])
})

test('a refresh that breaks off when all of before is replaced is only cut short', () => {
  const failed = after(old('a', 'b'), REFRESH, page([object('c', 2)]), { kind: 'failed', error: 'gone' })
  expect([sizesOf(failed), failed.old]).toEqual([['c 2'], null])
})

test('a refresh that begins during another one replaces what that brought, too', () => {
  const listing = after(old('a', 'b', 'c'), REFRESH, page([object('a', 2)]), REFRESH, page([object('b', 3)]))
  expect(sizesOf(listing)).toEqual(['b 3', 'c 1'])
  expect(sizesOf(reduceListing(listing, page([], true)))).toEqual(['b 3'])
})

test('what lands and what is removed during a refresh stays so', () => {
  const listing = after(
    ...[old('a', 'b', 'c'), REFRESH, page([object('a', 2)])],
    { kind: 'landed', entries: [object('x', 2)] },
    { kind: 'removed', keys: new Set(['b']) },
  )
  expect(sizesOf(listing)).toEqual(['a 2', 'c 1', 'x 2'])
  expect(sizesOf(reduceListing(listing, page([object('c', 2)], true)))).toEqual(['a 2', 'c 2', 'x 2'])
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
  const listing = after(page([object('a', 1), object('b', 2)]), bySize, { kind: 'landed', entries: [object('a', 3)] })
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
