import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

const NOT_SAVED = 'The key for Studio isn’t saved on this computer.'

it('takes files for a place whose key must be entered again, and says so', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const before = await launchSluice({ userDataDir })
  await before.page.evaluate(async (endpoint) => {
    const who = {
      scheme: 'STORAGE',
      signature: 'hmac-sha1',
      region: '',
      accessKeyId: 'AK',
      secretAccessKey: 'SK',
    } as const
    const where = { name: 'Studio', endpoint, bucket: 'demo', dialect: 'storage', pathStyle: true } as const
    const rest = { profile: '', sessionToken: '', preset: 'storage', color: 'none' } as const
    await window.sluice.invoke('places:add', { ...where, ...who, ...rest })
  }, proxy.endpoint)
  await before.close()
  // No keyring kept the key.
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const paths = ['a.mov', 'b.mov', 'c.mov'].map((name) => join(folder, name))
  for (const path of paths) await writeRandomFile(path, 100)
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
  await page.getByText(NOT_SAVED).waitFor()
  const ways = page.getByRole('main').getByRole('button', { name: /^(Retry|Edit place…)$/ })
  expect(await ways.allInnerTexts()).toEqual(['Edit place…'])
  await page.getByRole('button', { name: /^All/ }).click()
  await dropFiles(page, paths.slice(0, 1))
  await reads(transferRow(page, 'a.mov'), NOT_SAVED)

  await dropFiles(page, paths.slice(1))
  await reads(transferRow(page, 'c.mov'), NOT_SAVED)
  expect(await page.getByText('Something went wrong').count()).toBe(0)
})
