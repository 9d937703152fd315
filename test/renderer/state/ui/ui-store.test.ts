import { expect, test } from 'vitest'
import { inspectedId } from '../../../../renderer/state/selectors.ts'
import {
  clearSelection,
  focusRow,
  forgetRows,
  selectAll,
  selectOnly,
  selectRange,
  toggleSelected,
} from '../../../../renderer/state/ui/row-selection.ts'
import { dismissToast, showToast } from '../../../../renderer/state/ui/messages.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'

const shown = ['a', 'b', 'c', 'd']
const selected = () => [...uiStore.getState().selection]

beginWithFreshUi()

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

test('the inspector looks into a transfer that alone is selected', () => {
  selectAll(shown)
  focusRow('c')
  expect(inspectedId(uiStore.getState())).toBeNull()
  selectOnly('a')
  focusRow('d')
  expect(inspectedId(uiStore.getState())).toBe('a')
  clearSelection()
  expect(inspectedId(uiStore.getState())).toBeNull()
})

test('no message takes another one away before its time, however close they come', () => {
  const texts = () => uiStore.getState().toasts.map(({ text }) => text())
  uiStore.setState({ toasts: [] })
  showToast(() => '2 downloads added')
  showToast(() => '2 downloaded')
  const [added] = uiStore.getState().toasts
  expect(texts()).toEqual(['2 downloads added', '2 downloaded'])
  // Said again, it starts its time again.
  showToast(() => '2 downloads added')
  expect(texts()).toEqual(['2 downloaded', '2 downloads added'])
  if (added !== undefined) dismissToast(added)
  expect(texts()).toEqual(['2 downloaded', '2 downloads added'])
})

test('of two messages about the same, only the last can be acted on', () => {
  uiStore.setState({ toasts: [] })
  showToast(() => '1 transfer removed', [{ label: () => 'Undo', onPress: () => undefined }], 'removed')
  showToast(() => '3 transfers removed', [{ label: () => 'Undo', onPress: () => undefined }], 'removed')
  expect(uiStore.getState().toasts.map(({ text }) => text())).toEqual(['3 transfers removed'])
})
