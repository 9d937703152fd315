import { afterEach, expect, test, vi } from 'vitest'
import type { ListObjectsRequest } from '../../../../shared/ipc/object-requests.ts'
import {
  createObjectList,
  openLocation,
  retryListing,
  searchBelow,
  type ObjectList,
} from '../../../../renderer/state/objects/object-list.ts'
import { refusalWords } from '../../../../shared/transfer/words/error-words.ts'
import { whenHolds } from '../../../support/tools/when-holds.ts'

const LOCATION = { placeId: 'studio', bucket: 'media', prefix: '' }
/** More pages than any list is asked for here. */
const NEVER = 30_000

afterEach(() => vi.unstubAllGlobals())

/** A service that ends no page without a marker that is above the one before. */
function openEndless(foldersAPage: number, never = NEVER): { readonly list: ObjectList; readonly asked: number[] } {
  const asked: number[] = []
  const invoke = (name: string, { marker }: ListObjectsRequest) => {
    if (name === 'objects:abandon') return Promise.resolve({ ok: true, value: null })
    const page = Number(marker ?? 0)
    asked.push(page)
    if (asked.length > never) throw new Error('It goes on for ever')
    const prefixes = Array.from({ length: foldersAPage }, (_, number) => `${page}-${number}/`)
    return Promise.resolve({ ok: true, value: { prefixes, objects: [], nextMarker: String(page + 1) } })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  const list = createObjectList({ placeOf: () => null, isPicker: false })
  openLocation(list, LOCATION)
  return { list, asked }
}

const ended = ({ store }: ObjectList) =>
  whenHolds(() => {
    const { listing } = store.getState()
    expect(listing.state).toBe('failed')
    return listing
  })

test.each([
  ['with nothing on them', 0],
  ['with a line on each', 1],
])('pages without end, %s, are read to a point, and further when a person asks for it', async (_, foldersAPage) => {
  const { list, asked } = openEndless(foldersAPage)
  const first = await ended(list)
  expect(refusalWords(first.error ?? '')).toBe('The server’s list doesn’t end, so reading it was stopped.')
  expect(first.entries).toHaveLength(foldersAPage * asked.length)
  const pages = asked.length
  retryListing(list)
  await whenHolds(() => expect(asked.length).toBeGreaterThan(pages))
  expect(asked[pages]).toBe(pages)
  expect((await ended(list)).entries).toHaveLength(foldersAPage * asked.length)
})

test('a list of more lines than a window can hold is read to a point', async () => {
  const { list, asked } = openEndless(50_000, 40)
  const { entries, nextMarker } = await ended(list)
  expect(entries.length).toBe(1_000_000)
  expect(nextMarker).toBe(String(asked.length))
})

test('a search without end stops, and can go on', async () => {
  const { list, asked } = openEndless(0)
  await ended(list)
  searchBelow(list, 'film')
  await whenHolds(() => expect(list.store.getState().listing.state).toBe('listing'))
  const { nextMarker, error } = await ended(list)
  expect([nextMarker, refusalWords(error ?? '')]).toEqual([
    String(asked.length / 2),
    'The server’s list doesn’t end, so reading it was stopped.',
  ])
})
