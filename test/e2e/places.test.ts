import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { launchSluice } from '../support/electron-app.ts'
import { tempDir } from '../support/temp-dir.ts'

it('refuses a place whose key is wrong, and takes it once the key is right', { timeout: 60_000 }, async () => {
  const folder = await tempDir()
  const credentials = { accessKeyId: 'AK', secretAccessKey: 'right' }
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['media'], credentials })
  onTestFinished(() => store.close())
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(720, 480))
  await page.getByRole('button', { name: 'Add place' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Name', { exact: true }).fill('Studio')
  await sheet.getByLabel('Bucket', { exact: true }).fill('media')
  await sheet.getByLabel('Endpoint').fill(store.endpoint)
  await sheet.getByLabel('Access key ID').fill('AK')
  await sheet.getByLabel('Secret key').fill('wrong')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('Studio didn’t accept the key.').waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Studio', exact: true, includeHidden: true }).count())
    .toBe(0)
  await sheet.getByLabel('Secret key').fill('right')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Studio', exact: true }).waitFor()
})
