import { beforeEach, expect, test } from 'vitest'
import { beginAct, createAddedRevealer, noteTakenOff, revealTogether } from '../../../renderer/state/reveal-added.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'
import { makeRow } from '../rows.ts'

const row = (id: string, createdAtMs = 2000) => makeRow({ id, createdAtMs })
const selected = () => [...uiStore.getState().selection]

beginWithFreshUi()

beforeEach(() => {
  beginAct()
  uiStore.setState({ filter: 'done' })
})

test('what one drop adds is selected together, however long the later of it takes', () => {
  const reveal = createAddedRevealer(1000)
  reveal([row('a'), row('b')])
  expect(uiStore.getState()).toMatchObject({ filter: 'all', revealedId: 'a' })
  reveal([row('c')])
  expect(selected()).toEqual(['a', 'b', 'c'])
  expect(uiStore.getState().revealedId).toBe('a')
})

test('what the next drop adds is selected without that', () => {
  const reveal = createAddedRevealer(1000)
  reveal([row('a')])
  beginAct()
  reveal([row('b')])
  expect(selected()).toEqual(['b'])
  expect(uiStore.getState().revealedId).toBe('b')
})

test('a row that was there already is selected beside those that the same drop adds', () => {
  const reveal = createAddedRevealer(1000)
  revealTogether(['old'])
  reveal([row('new')])
  expect(selected()).toEqual(['old', 'new'])

  beginAct()
  reveal([row('newer')])
  uiStore.setState({ filter: 'done' })
  revealTogether(['old'])
  expect(selected()).toEqual(['newer', 'old'])
  expect(uiStore.getState().filter).toBe('all')
})

test('rows of an earlier window are not taken for new ones', () => {
  createAddedRevealer(1000)([row('a', 999)])
  expect(selected()).toEqual([])
})

test('what Undo brings back is selected as a whole, also what an earlier window had added', () => {
  noteTakenOff(['old', 'new'])
  createAddedRevealer(1000)([row('old', 999), row('new')])
  expect(selected()).toEqual(['old', 'new'])
  expect(uiStore.getState()).toMatchObject({ filter: 'all', revealedId: 'old' })
})

test('a place that is shown stays in view', () => {
  uiStore.setState({ view: 'browse' })
  createAddedRevealer(1000)([row('a')])
  expect(uiStore.getState()).toMatchObject({ view: 'browse', focusedId: 'a' })
  expect(selected()).toEqual(['a'])
})
