import { beforeEach, expect, test } from 'vitest'
import { inspectedId } from '../../../renderer/state/selectors.ts'
import {
  clearSelection,
  focusRow,
  forgetRows,
  selectAll,
  selectOnly,
  selectRange,
  toggleSelected,
  uiStore,
} from '../../../renderer/state/ui-store.ts'

const shown = ['a', 'b', 'c', 'd']
const selected = () => [...uiStore.getState().selection]

beforeEach(() => {
  clearSelection()
  uiStore.setState({ focusedId: null })
})

test('Shift selects from where the selection began, in both directions', () => {
  selectOnly('b')
  selectRange('d', shown)
  expect(selected()).toEqual(['b', 'c', 'd'])
  selectRange('a', shown)
  expect(selected()).toEqual(['a', 'b'])
})

test('Ctrl adds and takes away single rows', () => {
  selectOnly('a')
  toggleSelected('c')
  toggleSelected('a')
  expect(selected()).toEqual(['c'])
})

test('rows that leave the list leave the selection', () => {
  selectAll(shown)
  forgetRows(['a', 'c'])
  expect(selected()).toEqual(['b', 'd'])
})

test('the inspector follows focus within the selection', () => {
  selectAll(shown)
  focusRow('c')
  expect(inspectedId(uiStore.getState())).toBe('c')
  selectOnly('a')
  focusRow('d')
  expect(inspectedId(uiStore.getState())).toBe('a')
  clearSelection()
  expect(inspectedId(uiStore.getState())).toBeNull()
})
