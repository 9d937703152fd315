import { expect, test } from 'vitest'
import { shownIds, successor } from '../../../renderer/state/shown-ids.ts'
import { makeRow } from '../rows.ts'

const rows = new Map(
  [
    makeRow({ id: 'a', status: 'transferring', name: 'Footage.mov', key: 'x/Footage.mov' }),
    makeRow({ id: 'b', status: 'paused', name: 'notes.txt', key: 'docs/notes.txt' }),
    makeRow({ id: 'c', status: 'failed', name: 'scan.tif', key: 'scan.tif' }),
    makeRow({ id: 'd', status: 'completed', name: 'done.zip', key: 'done.zip' }),
  ].map((row) => [row.id, row]),
)
const order = [...rows.keys()]
const show = (filter: Parameters<typeof shownIds>[2]['filter'], search = '', held: readonly string[] = []) =>
  shownIds(order, (id) => rows.get(id), { filter, search, held: new Set(held) })

test('each filter shows its group, all shows the order itself', () => {
  expect(show('all')).toBe(order)
  expect([show('active'), show('paused'), show('attention'), show('done')]).toEqual([['a'], ['b'], ['c'], ['d']])
})

test('search looks into name and key, whatever the case', () => {
  expect(show('all', ' footage ')).toEqual(['a'])
  expect(show('all', 'docs/')).toEqual(['b'])
  expect(show('active', 'notes')).toEqual([])
})

test('a row under the pointer stays although it left the filter', () => {
  expect(show('active', '', ['d'])).toEqual(['a', 'd'])
})

test('focus goes to the row that took the place of the one that left', () => {
  expect(successor(['a', 'b', 'c'], ['a', 'c'], 'b')).toBe('c')
  expect(successor(['a', 'b', 'c'], ['a', 'b'], 'c')).toBe('b')
  expect(successor(['a'], [], 'a')).toBeNull()
  expect(successor(['a', 'b'], ['a', 'b'], 'a')).toBe('a')
})
