import { expect, test } from 'vitest'
import { placeOf, type ShownQuery } from '../../../renderer/state/shown-ids.ts'
import { makeRow } from '../rows.ts'

const moving = makeRow({ name: 'Raw Footage.mov', key: '2026/raw' })
const paused = makeRow({ name: 'notes.txt', key: 'docs/notes.txt', status: 'paused' })
const query = (filter: ShownQuery['filter'], search = '', onlyPlaceId: string | null = null): ShownQuery => ({
  ...{ filter, search, onlyPlaceId },
})

test('each filter shows its group, all shows every one', () => {
  expect([placeOf(moving, query('all'), null), placeOf(moving, query('active'), null)]).toEqual(['active', 'active'])
  expect([placeOf(paused, query('paused'), null), placeOf(paused, query('waiting'), null)]).toEqual(['paused', null])
})

test('search looks into name and key, whatever the case', () => {
  expect(placeOf(moving, query('all', ' footage '), null)).toBe('active')
  expect(placeOf(paused, query('all', 'docs/'), null)).toBe('paused')
  expect(placeOf(moving, query('active', 'notes'), null)).toBeNull()
})

test('only the transfers of a place are shown where one is asked for', () => {
  const studio = makeRow({ placeId: 'studio' })
  expect(placeOf(studio, query('all', '', 'studio'), null)).toBe('active')
  expect(placeOf(studio, query('all', '', 'archive'), 'active')).toBeNull()
  expect(placeOf(makeRow({ placeId: null }), query('all', '', 'studio'), null)).toBeNull()
})

test('a row that is held stays in its group', () => {
  expect(placeOf(paused, query('active'), 'active')).toBe('active')
})
