import { beforeEach, expect, it } from 'vitest'
import { reportSkipped } from '../../../renderer/actions/report.ts'
import { uiStore } from '../../../renderer/state/ui-store.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'

const LISTED = { added: 0, skipped: ['film.mov is already in the list.'], ids: ['a'] } as const

beginWithFreshUi()

beforeEach(() => uiStore.setState({ selection: new Set(['b']) }))

it('selects and shows the row that a file is in the list with', () => {
  reportSkipped(LISTED)
  expect([...uiStore.getState().selection]).toEqual(['a'])
  expect(uiStore.getState().revealedId).toBe('a')
  expect(uiStore.getState().toasts[0]?.text()).toBe('film.mov is already in the list.')
})

it.each([
  ['while a folder is open', { view: 'browse' as const }, LISTED],
  ['where others were added, which are shown', { view: 'queue' as const }, { ...LISTED, added: 1 }],
])('offers to show it %s', (_, state, result) => {
  uiStore.setState(state)
  reportSkipped(result)
  expect([...uiStore.getState().selection]).toEqual(['b'])
  uiStore.getState().toasts[0]?.actions[0]?.onPress()
  expect(uiStore.getState()).toMatchObject({ view: 'queue', revealedId: 'a' })
})
