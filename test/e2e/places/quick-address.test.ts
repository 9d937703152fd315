import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { violations } from '../../support/window/accessibility.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { resize } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('fills the form of a place from one address, and opens it', async () => {
  const folder = await tempDir()
  const credentials = { accessKeyId: 'AK', secretAccessKey: 'right' }
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['media'], credentials })
  onTestFinished(() => store.close())
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add place' })
  const address = form.getByLabel('Address')
  await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true)
  await address.fill('https://AK:right@s3.example.com/media')
  await address.press('Tab')
  await form.getByText('Leave the key out of the address and enter it below.').waitFor()
  await address.fill('https://media.s3.eu-west-1.amazonaws.com/raw/')
  expect(await form.getByLabel('Region').inputValue()).toBe('eu-west-1')
  expect(await form.getByLabel('Bucket', { exact: true }).inputValue()).toBe('media')
  await shot(page, 'place-address')
  expect(await violations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await resize({ app, page }, [640, 480])
  await shot(page, 'place-address-small-dark')
  await resize({ app, page }, [1080, 720])
  await form.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('option', { name: 'Object Storage Service' }).click()
  await address.fill(`${store.endpoint}/media`)
  expect(await form.getByLabel('Endpoint').inputValue()).toBe(store.endpoint)
  await form.getByLabel('Access key ID').fill('AK')
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This bucket is empty · drop files here to upload them').waitFor()
})
