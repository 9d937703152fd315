import { expect, onTestFinished, test } from 'vitest'
import { resetQueue } from '../../../renderer/state/queue/queue-store.ts'
import { inspectedId, selectedFor } from '../../../renderer/state/selectors.ts'
import { connectShownIds, placeOf, shownStore, type ShownQuery } from '../../../renderer/state/shown-ids.ts'
import { selectAll } from '../../../renderer/state/ui/row-selection.ts'
import { setSearch } from '../../../renderer/state/ui/list-view.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'
import { makeRow, noTotals } from '../rows.ts'

beginWithFreshUi()

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

test('commands and the inspector leave out what is selected and hidden by a filter, until it is shown again', () => {
  const disconnect = connectShownIds()
  onTestFinished(disconnect)
  resetQueue({
    rows: [
      { ...moving, id: 'film' },
      { ...paused, id: 'notes' },
    ],
    totals: noTotals,
    seq: 1,
  })
  const told = () => [selectedFor('remove'), inspectedId(shownStore.getState())]
  selectAll(['film', 'notes'])
  expect(told()).toEqual([['film', 'notes'], null])
  setSearch('notes')
  expect(told()).toEqual([['notes'], 'notes'])
  setSearch('zzz')
  expect(told()).toEqual([[], null])
  setSearch('')
  expect(told()).toEqual([['film', 'notes'], null])
})
