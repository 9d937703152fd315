import { afterEach, expect, test, vi } from 'vitest'
import { appStore, changeSettings, showSettings } from '../../../renderer/state/app-store.ts'
import type { Place } from '../../../shared/place/place.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/settings.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  appStore.setState(appStore.getInitialState())
})

/** A main process that answers in its own time. */
function slowMain() {
  let settings: Settings = DEFAULT_SETTINGS
  const answers: (() => void)[] = []
  const invoke = (name: string, changes: Partial<Settings> | null) => {
    if (name === 'settings:get') return Promise.resolve({ ok: true, value: settings })
    return new Promise((resolve) => {
      answers.push(() => {
        settings = { ...settings, ...changes }
        resolve({ ok: true, value: settings })
      })
    })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  appStore.setState({ settings })
  return { answers }
}

test('two changes of one schedule both count, however late the answers are', async () => {
  const { answers } = slowMain()
  const schedule = () => appStore.getState().settings.lowSpeedSchedule
  const first = changeSettings({ lowSpeedSchedule: { ...schedule(), isOn: true } })
  const second = changeSettings({ lowSpeedSchedule: { ...schedule(), weekdays: [6] } })
  answers[0]?.()
  await first
  expect(schedule()).toMatchObject({ isOn: true, weekdays: [6] })
  answers[1]?.()
  await second
  expect(schedule()).toMatchObject({ isOn: true, weekdays: [6] })
})

test('places are asked for again in another language, in which the demo store has another name', async () => {
  const place = { id: 'demo', name: '演示存储', isDemo: true } as Place
  const invoke = (name: string, changes: Partial<Settings> | null) =>
    Promise.resolve({ ok: true, value: name === 'places:list' ? [place] : { ...DEFAULT_SETTINGS, ...changes } })
  vi.stubGlobal('window', { sluice: { invoke } })
  appStore.setState({ places: [{ ...place, name: 'Demo store' }] })
  await changeSettings({ activeTransfers: 2 })
  expect(appStore.getState().places).toMatchObject([{ name: 'Demo store' }])
  await changeSettings({ language: 'zh-CN' })
  expect(appStore.getState().places).toEqual([place])
})

test('places are asked for again in a language that main tells of by itself, once', async () => {
  const invoke = vi.fn(() => Promise.resolve({ ok: true, value: [] }))
  vi.stubGlobal('window', { sluice: { invoke } })
  await showSettings({ ...DEFAULT_SETTINGS, units: 'binary' })
  expect(invoke).not.toHaveBeenCalled()
  const chinese = { ...DEFAULT_SETTINGS, language: 'zh-CN' } as const
  await showSettings(chinese)
  await showSettings(chinese)
  expect(invoke.mock.calls).toEqual([['places:list', null]])
})

test('a change that is refused is taken back', async () => {
  appStore.setState({ settings: DEFAULT_SETTINGS })
  const refuse = (name: string) =>
    name === 'settings:get'
      ? Promise.resolve({ ok: true, value: DEFAULT_SETTINGS })
      : Promise.resolve({ ok: false, error: { code: 'failed', message: 'No.' } })
  vi.stubGlobal('window', { sluice: { invoke: refuse } })
  await expect(changeSettings({ activeTransfers: 7 })).rejects.toThrow('No.')
  expect(appStore.getState().settings.activeTransfers).toBe(DEFAULT_SETTINGS.activeTransfers)
})
