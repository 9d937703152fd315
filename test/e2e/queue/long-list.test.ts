import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fillLongList, LONG_LIST_DONE } from '../../support/fakes/long-list.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

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
