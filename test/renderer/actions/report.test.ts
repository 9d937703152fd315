import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { reportSkipped, tellOfAdded } from '../../../renderer/actions/report.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { message } from '../../../shared/language/message.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'

const LISTED = { added: 0, skipped: [message('services.upload.listed', { name: 'film.mov' })], ids: ['a'] } as const

beginWithFreshUi()

beforeEach(() => uiStore.setState({ selection: new Set(['b']) }))

it('selects and shows the row that a file is in the list with', () => {
  reportSkipped(LISTED)
  expect([...uiStore.getState().selection]).toEqual(['a'])
  expect(uiStore.getState().revealedId).toBe('a')
  expect(uiStore.getState().toasts[0]?.text()).toBe('film.mov is already in the list.')
  setLanguage(languageOf('zh-CN'))
  onTestFinished(() => setLanguage(languageOf('en')))
  expect(uiStore.getState().toasts[0]?.text()).toBe('film.mov 已在列表中。')
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

it('offers to show what was added last, where it is out of sight', () => {
  tellOfAdded(1)
  expect(uiStore.getState().toasts).toEqual([])
  uiStore.setState({ view: 'browse' })
  tellOfAdded(1)
  tellOfAdded(2)
  const [toast, ...others] = uiStore.getState().toasts
  expect([toast?.text(), others]).toEqual(['2 downloads added.', []])
  toast?.actions[0]?.onPress()
  expect(uiStore.getState()).toMatchObject({ view: 'queue', revealedId: 'b' })
})
