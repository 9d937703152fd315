import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { holdToasts } from '../../support/window/held-waits.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { tellRows } from '../../support/window/told-rows.ts'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'

it('speaks another language at once, in the window and in its menus, and still does after a restart', async () => {
  const userDataDir = join(await tempDir(), 'user-data')
  const first = await launchSluice({ userDataDir, environment: { LANGUAGE: 'en', LANG: 'en_US.UTF-8' } })
  onTestFinished(first.close)
  const { app, page } = first
  const menus = (of = app) =>
    of.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? [])
  expect(await menus()).toContain('Transfer')
  await page.keyboard.press('ControlOrMeta+,')
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await sheet.getByRole('button', { name: /Language/ }).click()
  await page.getByRole('option', { name: '简体中文' }).click()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN')
  await page.getByRole('dialog', { name: '设置' }).getByRole('button', { name: /语言/ }).waitFor()
  await expect.poll(() => menus()).toContain('传输')
  await shot(page, 'settings-zh-cn')
  await page.keyboard.press('Escape')
  await page.getByRole('navigation').getByRole('button', { name: '进行中' }).waitFor()
  await page.getByRole('navigation').getByRole('button', { name: '演示存储', exact: true }).waitFor()
  await first.close()

  const again = await launchSluice({ userDataDir, environment: { LANGUAGE: 'en', LANG: 'en_US.UTF-8' } })
  onTestFinished(again.close)
  expect(await again.page.locator('html').getAttribute('lang')).toBe('zh-CN')
  expect(await menus(again.app)).toContain('传输')
  await shot(again.page, 'queue-zh-cn')
})

it('says what is on the screen already in the other language, too', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  await holdToasts(page)
  await tellRows(sluice, [fakeRow({ id: randomUUID(), name: 'film.mov', status: 'completed' })])
  await transferRow(page, 'film.mov').click()
  await page.keyboard.press('Delete')
  await page.getByRole('status').getByText('1 transfer removed from the list.').waitFor()
  await page.evaluate(() => window.sluice.invoke('settings:set', { language: 'zh-CN' }))
  const said = page.getByRole('status').filter({ hasText: '已从列表中移除 1 个传输。' })
  await said.getByRole('button', { name: '撤销' }).waitFor()
  await page.getByRole('navigation').getByRole('button', { name: '演示存储', exact: true }).waitFor()
})

it('says what main made of dropped files in the other language, too', async () => {
  const folder = await tempDir()
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await holdToasts(page)
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 200_000 }))
  const film = join(folder, 'film.mov')
  await writeRandomFile(film, 40 * MIB)
  await dropFiles(page, [film])
  await transferRow(page, 'film.mov').waitFor()
  await dropFiles(page, [film])
  await page.getByRole('status').getByText('film.mov is already in the list.').waitFor()
  await writeFile(join(folder, 'scrap.part'), '')
  await dropFiles(page, [join(folder, 'scrap.part')])
  const alert = page.getByRole('alert')
  await reads(alert, 'scrap.part isn’t a partial download, or the file beside it is missing.')
  await page.evaluate(() => window.sluice.invoke('settings:set', { language: 'zh-CN' }))
  await reads(alert, 'scrap.part 不是未完成的下载，或缺少旁边的文件。')
  await page.getByRole('status').getByText('film.mov 已在列表中。').waitFor()
})

it('says why a sheet could not do something in the other language, too', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const { page, close } = await launchSluice({ userDataDir, links: ['sluice://demo/nothing.mov'] })
  onTestFinished(close)
  const speak = (language: 'en' | 'zh-CN') =>
    page.evaluate((tag) => window.sluice.invoke('settings:set', { language: tag }), language)
  const sheet = page.getByRole('dialog')
  await reads(sheet.getByRole('alert'), 'There is no such file on the server.')
  await speak('zh-CN')
  await reads(sheet.getByRole('alert'), '服务器上没有此文件。')
  await speak('en')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await mkdir(join(folder, 'films'))
  await writeFile(join(folder, 'films', 'film.mov'), 'content')
  await dropFiles(page, [join(folder, 'films')])
  await sheet.getByLabel('Folder in').fill('a'.repeat(2000))
  await sheet.getByRole('button', { name: 'Upload', exact: true }).click()
  await reads(sheet.getByRole('alert'), 'Sluice can’t do this with what was entered.')
  await speak('zh-CN')
  await reads(sheet.getByRole('alert'), '输入的内容无法使用。')
})

it('speaks the language of the system by default', async () => {
  const environment = { LANGUAGE: 'zh_CN', LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8' }
  const { page, close } = await launchSluice({ userDataDir: await tempDir(), environment })
  onTestFinished(close)
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
})

it('lays the window out from right to left', async () => {
  const environment = { SLUICE_LANGUAGE: 'ar-XB' }
  const { page, close } = await launchSluice({ userDataDir: await tempDir(), environment })
  onTestFinished(close)
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await shot(page, 'queue-mirrored')
})
