import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { uploadSlowly } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

async function open(userDataDir: string) {
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  return sluice
}

const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })
const log = (page: Page) => inspector(page).getByRole('list', { name: 'Log' }).getByRole('listitem')

it('tells over a restart what happened to a transfer, and how fast it was', async () => {
  const folder = await tempDir()
  const first = await open(join(folder, 'user-data'))
  // Something has arrived by then, or there is no average.
  const row = await uploadSlowly(first.page, folder)
  // Selected only now: what was measured before is drawn, too.
  await row.click()
  await inspector(first.page)
    .getByRole('img', { name: /^Speed in the last minute/ })
    .waitFor()
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused')
  await expect.poll(() => log(first.page).count()).toBeGreaterThanOrEqual(3)
  await inspector(first.page)
    .getByRole('img', { name: /^Speed over the whole/ })
    .waitFor()
  await first.close()

  const { page } = await open(join(folder, 'user-data'))
  await transferRow(page, 'film.mov').click()
  await expect
    .poll(async () => (await log(page).allInnerTexts()).join('\n'))
    .toMatch(/Paused by you[^]*Started[^]*Added/)
  const graph = inspector(page)
    .getByRole('img', { name: /^Speed over the whole .*[kM]B\/s/ })
    .locator('path')
    .nth(1)
  expect(await graph.getAttribute('d')).toMatch(/^M.*L/)
  await inspector(page)
    .getByText(/^Average .* · Peak/)
    .waitFor()
  await shot(page, 'timeline-after-restart')
  await transferRow(page, 'film.mov').getByRole('button', { name: 'Resume' }).click()
  await reads(log(page), 'Resumed by you')
  await page.evaluate(() => window.sluice.invoke('settings:set', { language: 'zh-CN' }))
  const inChinese = page.getByRole('complementary', { name: '检查器' }).getByRole('list', { name: '日志' })
  await reads(inChinese, /你继续了传输[^]*你暂停了传输[^]*已开始[^]*已添加/)
  await inChinese.scrollIntoViewIfNeeded()
  await shot(page, 'timeline-zh-cn')
})
