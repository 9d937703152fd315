import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fillLongList, LONG_LIST_DONE } from '../../support/worlds/long-list.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot } from '../../support/window/desk-window.ts'
import { launchSluice, startSluice } from '../../support/window/electron-app.ts'

it('opens a long list on what is not done, and carries out what is asked while the rest is read', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await fillLongList(userDataDir, join(folder, 'late.mov'))
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const row = page.getByRole('row', { name: /^late\.mov/ })
  await row.waitFor()
  await shot(page, 'long-list')
  // Its file is gone: it can only have been started.
  await page.evaluate(
    async (id) => {
      await window.sluice.invoke('transfers:resume', { ids: [id] })
    },
    (await row.getAttribute('data-id')) ?? '',
  )
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Needs you/ }), '1')
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Done/ }), '12,000')
  await page.waitForFunction(
    (count) => document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount') === String(count),
    LONG_LIST_DONE + 4,
  )
  expect(await page.getByRole('row', { name: /^11999\.bin/ }).isVisible()).toBe(true)
})

it('has its menu bar from the first moment on, so that nothing moves when the list is there', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await fillLongList(userDataDir, join(folder, 'late.mov'))
  const app = await startSluice({ userDataDir })
  onTestFinished(() => app.close())
  const first = await app.evaluate(async ({ app: main, BrowserWindow, Menu }) => {
    const [made] = BrowserWindow.getAllWindows()
    const window =
      made ??
      (await new Promise<Electron.BrowserWindow>((tell) => main.once('browser-window-created', (_, it) => tell(it))))
    if (!window.isVisible()) await new Promise<void>((tell) => window.once('show', () => tell()))
    return Menu.getApplicationMenu()?.items.map(({ label }) => label)
  })
  const page = await app.firstWindow()
  await page.waitForFunction(
    (count) => document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount') === String(count),
    LONG_LIST_DONE + 4,
  )
  expect(first).toEqual(await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label)))
})
