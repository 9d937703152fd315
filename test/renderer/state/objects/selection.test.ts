import { expect, test } from 'vitest'
import {
  bucketEntry,
  folderEntry,
  NOTHING_LISTED,
  reduceListing,
  type Entry,
} from '../../../../renderer/state/objects/listing.ts'
import { createObjectList, setObjectSearch, type ObjectList } from '../../../../renderer/state/objects/object-list.ts'
import {
  focusBeside,
  focusEntry,
  isInSelectedFolder,
  pressEntry,
  selectAllEntries,
  selectedEntries,
  selectEntriesTo,
  withToggled,
  type Selection,
} from '../../../../renderer/state/objects/selection.ts'

const folder = (key: string) => folderEntry(key, '')
const object = (key: string): Entry => ({ ...folderEntry(`${key}/`, ''), kind: 'object', key })
const NOTHING: Selection = new Map()

function listOf(isPicker: boolean, entries: readonly Entry[]): ObjectList {
  const list = createObjectList({ placeOf: () => null, isPicker })
  show(list, entries)
  return list
}

function show({ store }: ObjectList, entries: readonly Entry[]): void {
  store.setState({ listing: reduceListing(NOTHING_LISTED, { kind: 'page', entries, nextMarker: null }) })
}

const keys = (list: ObjectList) => selectedEntries(list).map(({ key }) => key)

test('what a filter hides is not selected, so nothing is done to it unseen', () => {
  const list = listOf(false, ['a/', 'ab/', 'b/'].map(folder))
  selectAllEntries(list)
  expect(keys(list)).toEqual(['a/', 'ab/', 'b/'])
  setObjectSearch(list, 'a')
  expect(keys(list)).toEqual(['a/', 'ab/'])
  setObjectSearch(list, '')
  expect(keys(list)).toEqual(['a/', 'ab/', 'b/'])
})

test('a list to pick from keeps what is picked while another folder or a filter is shown', () => {
  const list = listOf(true, [folder('a/'), object('b'), object('c')])
  pressEntry(list, object('b'))
  pressEntry(list, object('c'))
  show(list, [object('a/1'), object('a/2'), object('a/3')])
  pressEntry(list, object('a/1'))
  selectEntriesTo(list, 'a/2')
  setObjectSearch(list, '3')
  expect(keys(list)).toEqual(['b', 'c', 'a/1', 'a/2'])
  setObjectSearch(list, '')
  selectAllEntries(list)
  pressEntry(list, object('a/2'))
  expect(keys(list)).toEqual(['b', 'c', 'a/1', 'a/3'])
})

test('elsewhere a press selects that line alone', () => {
  const list = listOf(false, [object('a'), object('b')])
  pressEntry(list, object('a'))
  pressEntry(list, object('b'))
  expect(keys(list)).toEqual(['b'])
})

test('picking a folder takes in what was picked inside it, and nothing else', () => {
  const picked = [object('media/a.mov'), object('media.txt'), folder('media/raw/'), folder('media/')].reduce(
    withToggled,
    NOTHING,
  )
  expect([...picked.keys()]).toEqual(['media.txt', 'media/'])
  expect(
    ['media/a.mov', 'media/raw/', 'media.txt', 'media/', 'raw/media/'].map((key) => isInSelectedFolder(picked, key)),
  ).toEqual([true, true, false, false, false])
  // What comes along can't be left out.
  expect(withToggled(picked, object('media/a.mov'))).toEqual(picked)
})

test('what is picked can be put back', () => {
  const picked = [object('a'), folder('media/')].reduce(withToggled, NOTHING)
  expect([object('a'), folder('media/')].reduce(withToggled, picked)).toEqual(NOTHING)
})

test('a bucket whose name is the beginning of a key holds nothing that is selected beside it', () => {
  const list = listOf(false, [
    bucketEntry({ name: 'media', createdAt: null }),
    bucketEntry({ name: 'media.old', createdAt: null }),
  ])
  selectAllEntries(list)
  expect(keys(list)).toEqual(['media', 'media.old'])
})

test.each([
  ['b', ['b'], 'c'],
  ['b', ['b', 'c'], 'd'],
  ['d', ['c', 'd'], 'b'],
  ['a', ['b'], 'a'],
] as const)('focus on %s goes to what is beside it when %j are removed', (focused, removed, next) => {
  const list = listOf(false, ['a', 'b', 'c', 'd'].map(object))
  focusEntry(list, focused)
  focusBeside(list, new Set(removed))
  expect(list.store.getState().focusedKey).toBe(next)
})

test('focus does not move to the last entry when a removed one was hidden by a search', () => {
  const list = listOf(false, ['a', 'b', 'c'].map(object))
  focusEntry(list, 'b')
  setObjectSearch(list, 'c')
  focusBeside(list, new Set(['b']))
  expect(list.store.getState().focusedKey).toBe('b')
})
