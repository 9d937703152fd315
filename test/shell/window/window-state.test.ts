import { expect, it } from 'vitest'
import { fitted, keptBounds, loadWindowState, saveWindowState } from '../../../electron/shell/window/window-state.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'

const screen = { x: 0, y: 25, width: 1440, height: 875 }
const right = { x: 1440, y: 0, width: 1920, height: 1080 }
const bounds = { x: 100, y: 100, width: 1080, height: 720 }

async function reopened(kept: typeof bounds, areas = [screen]) {
  const values = memoryValues()
  await saveWindowState(values, { bounds: kept, isMaximized: true })
  return loadWindowState(values, areas)
}

it('comes back where it was', async () => {
  expect(await reopened(bounds)).toEqual({ bounds, isMaximized: true })
  expect(await reopened({ ...bounds, x: 2000 }, [screen, right])).not.toBeNull()
})

it.each([
  ['on a screen that is gone', { ...bounds, x: 2000 }],
  ['below the screen', { ...bounds, y: 890 }],
  ['above the screen', { ...bounds, y: -10 }],
  ['with a sliver at the left', { ...bounds, x: -1000 }],
])('opens in its first place when it was %s', async (_where, kept) => {
  expect(await reopened(kept)).toBeNull()
})

it('opens in its first place when what was kept is damaged', async () => {
  const values = memoryValues()
  await values.put('window', '{"bounds":{"x":"left"}}')
  expect(await loadWindowState(values, [screen])).toBeNull()
})

const small = { x: 0, y: 0, width: 683, height: 384 }

it('is never larger than its screen', () => {
  expect(fitted(bounds, [small])).toEqual({ x: 0, y: 0, width: 683, height: 384 })
  expect(fitted({ ...bounds, width: 1600 }, [screen, right])).toEqual({ ...bounds, x: 0, width: 1440 })
  expect(fitted({ ...bounds, x: 1500, width: 1600 }, [screen, right])).toEqual({ ...bounds, x: 1500, width: 1600 })
})

it('is left where it was put, also half off the screen', () => {
  expect(fitted({ ...bounds, x: 1000 }, [screen])).toEqual({ ...bounds, x: 1000 })
})

it('is as large as before after a day on a small screen', () => {
  const opened = fitted(bounds, [small])
  expect(keptBounds({ ...opened, x: 4, y: 9 }, opened, bounds)).toEqual({ ...bounds, x: 4, y: 9 })
  expect(keptBounds({ ...opened, width: 660 }, opened, bounds)).toEqual({ ...opened, width: 660 })
})
