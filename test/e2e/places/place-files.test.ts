import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWorld } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('takes places to another computer, where they ask for their secret key', async () => {
  const path = join(await tempDir(), 'places.json')
  const here = await openWorld()
  await here.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, path)
  // By the menu of the list, which its head opens, too; the menu bar has the same.
  await here.page.getByRole('heading', { name: 'Places' }).click({ button: 'right' })
  await shot(here.page, 'places-menu')
  await here.page.getByRole('menuitem', { name: 'Export places…' }).click()
  await here.page.getByText('1 place exported, without secret keys.').waitFor()
  expect(await readFile(path, 'utf8')).not.toContain('secret')
  await shot(here.page, 'places-exported')

  const there = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(there.close)
  const open = () =>
    there.app.evaluate(({ dialog, Menu }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
      Menu.getApplicationMenu()?.getMenuItemById('import-places')?.click()
    }, path)
  await open()
  await there.page.getByText('1 place added. Enter its secret key to use it.').waitFor()
  await there.page.getByRole('button', { name: 'Studio', exact: true }).click()
  await there.page.getByRole('alert').filter({ hasText: 'The key for Studio isn’t saved on this computer' }).waitFor()
  await shot(there.page, 'places-imported')
  await there.page.getByRole('button', { name: 'Edit place…' }).click()
  const secret = there.page.getByRole('dialog', { name: 'Edit Studio' }).getByLabel('Secret key')
  await expect.poll(() => secret.evaluate((field) => field === document.activeElement)).toBe(true)
  await there.page.keyboard.press('Escape')
  await open()
  await there.page.getByText('No places added. 1 place already exists.').waitFor()
})
