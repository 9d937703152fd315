import { X509Certificate } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { startBuckets } from '../../support/servers/s3-buckets.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { startTlsFront } from '../../support/servers/tls-front.ts'

async function launch(userDataDir?: string): Promise<LaunchedSluice> {
  const sluice = await launchSluice({ userDataDir: userDataDir ?? (await tempDir()) })
  onTestFinished(sluice.close)
  return sluice
}

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add place' }).first().click()
  return page.getByRole('dialog')
}

async function choose(page: Page, field: RegExp, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

/** The steps of the report as they are read out. */
async function steps(sheet: Locator): Promise<readonly (string | null)[]> {
  const report = sheet.getByRole('status')
  await report.waitFor()
  return Promise.all((await report.getByRole('listitem').all()).map((step) => step.getAttribute('aria-label')))
}

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' })
const place = (page: Page, name: string) => sidebar(page).getByRole('button', { name, exact: true })

it('refuses a place whose key is wrong, and takes it once the key is right', async () => {
  const folder = await tempDir()
  const credentials = { accessKeyId: 'AK', secretAccessKey: 'right' }
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['media'], credentials })
  onTestFinished(() => store.close())
  const { app, page } = await launch()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(720, 480))
  const sheet = await openForm(page)
  await choose(page, /Service$/, 'Object Storage Service')
  await sheet.getByLabel('Name', { exact: true }).fill('Studio')
  await sheet.getByLabel('Bucket', { exact: true }).fill('media')
  await sheet.getByLabel('Endpoint').fill(store.endpoint)
  await sheet.getByLabel('Access key ID').fill('AK')
  await sheet.getByLabel('Secret key').fill('wrong')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText(/^The secret key doesn’t belong to this access key ID/).waitFor()
  await sheet.getByRole('button', { name: 'Save anyway' }).waitFor()
  expect(await place(page, 'Studio').count()).toBe(0)
  // A click beside the form loses nothing, and the button that tests keeps the focus.
  await page.mouse.click(5, 300)
  await sheet.getByRole('button', { name: 'Test' }).press('Enter')
  await sheet.getByText(/^The secret key doesn’t belong/).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Test')
  await sheet.getByLabel('Secret key').fill('right')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  await place(page, 'Studio').waitFor()
})

it('tests an S3 place step by step, mends what it can, and keeps its secret to itself', async () => {
  const secret = 'the-secret-nobody-may-read'
  const { endpoint } = await startBuckets({ accessKeyId: 'AK', secretAccessKey: secret, region: 'eu-real-2' })
  const userDataDir = await tempDir()
  const { page, close } = await launch(userDataDir)
  const sheet = await openForm(page)
  await choose(page, /Service$/, 'MinIO')
  // Without a scheme it is meant encrypted.
  await sheet.getByLabel('Endpoint').fill(endpoint.replace('http://', ''))
  await sheet.getByLabel('Access key ID').fill('AK')
  await sheet.getByLabel('Secret key').fill('wrong')
  await sheet.getByRole('button', { name: 'Test' }).click()
  expect(await steps(sheet)).toEqual([
    ...['Host name works', 'Connection fails', 'Clock not tried', 'Signature not tried', 'Listing not tried'],
  ])
  await sheet.getByRole('button', { name: 'Use http' }).click()
  await sheet.getByText('The secret key doesn’t belong to this access key ID.').waitFor()
  expect(await steps(sheet)).toContain('Signature fails')
  await sheet.getByLabel('Secret key').fill(secret)
  await sheet.getByRole('button', { name: 'Test' }).click()
  await sheet.getByText('2 buckets').waitFor()
  await sheet.getByRole('button', { name: 'Advanced' }).click()
  expect(await sheet.getByLabel('Region').inputValue()).toBe('eu-real-2')
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await place(page, 'MinIO').waitFor()
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(secret)
  await close()
  expect(await filesWith(userDataDir, secret)).toEqual([])
})

it('edits a place without its secret, gives it a color, and moves it', async () => {
  const { endpoint } = await startBuckets({ accessKeyId: 'AK', secretAccessKey: 'right', region: 'us-east-1' })
  const { page } = await launch()
  for (const bucket of ['alpha', 'beta']) {
    const sheet = await openForm(page)
    await choose(page, /Service$/, 'Ceph')
    await sheet.getByLabel('Endpoint').fill(endpoint)
    await sheet.getByLabel('Bucket', { exact: true }).fill(bucket)
    await sheet.getByLabel('Access key ID').fill('AK')
    await sheet.getByLabel('Secret key').fill('right')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.waitFor({ state: 'detached' })
  }
  await place(page, 'alpha').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit place…' }).click()
  const sheet = page.getByRole('dialog')
  expect(await sheet.getByLabel('Secret key').inputValue()).toBe('')
  await sheet.getByLabel('Name', { exact: true }).fill('Omega')
  await sheet.getByRole('radio', { name: 'Teal' }).check({ force: true })
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  const names = () =>
    sidebar(page)
      .getByRole('button', { name: /^(Omega|beta)$/ })
      .allTextContents()
  await expect.poll(names).toEqual(['Omega', 'beta'])
  await place(page, 'Omega').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(names).toEqual(['beta', 'Omega'])
  await place(page, 'Omega').dragTo(place(page, 'beta'))
  await expect.poll(names).toEqual(['Omega', 'beta'])
})

it('signs in with a profile of ~/.aws, whose keys stay there', async () => {
  const { endpoint } = await startBuckets({ accessKeyId: 'AK', secretAccessKey: 'of-the-profile', region: 'eu-real-2' })
  const folder = await tempDir()
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const studio = `[profile studio]\nregion = eu-real-2\nendpoint_url = ${endpoint}\n`
  await writeFile(join(folder, 'config'), `${studio}[profile other]\nsso_session = work\n`)
  await writeFile(join(folder, 'credentials'), '[studio]\naws_access_key_id=AK\naws_secret_access_key=of-the-profile\n')
  const { page } = await launch()
  const sheet = await openForm(page)
  await choose(page, /Service$/, 'Other S3 service')
  await sheet.getByRole('radio', { name: 'Profile of ~/.aws' }).check({ force: true })
  // The profile tells where its service is.
  await choose(page, /Profile$/, 'studio')
  await expect.poll(() => sheet.getByLabel('Endpoint').inputValue()).toBe(endpoint)
  await choose(page, /Profile$/, 'other')
  await sheet.getByRole('button', { name: 'Test' }).click()
  await sheet.getByText(/^The profile other gives no keys\./).waitFor()
  await choose(page, /Profile$/, 'studio')
  await sheet.getByRole('button', { name: 'Test' }).click()
  await sheet.getByText('2 buckets').waitFor()
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await place(page, new URL(endpoint).host).waitFor()
})

it('shows the certificate that nobody vouches for, and works once a person trusts it', async () => {
  const { endpoint } = await startBuckets({ accessKeyId: 'AK', secretAccessKey: 'right', region: 'us-east-1' })
  const secure = await startTlsFront(endpoint, CERTIFICATES.good)
  const { page } = await launch()
  const form = await openForm(page)
  await choose(page, /Service$/, 'MinIO')
  await form.getByLabel('Endpoint').fill(secure)
  await form.getByLabel('Access key ID').fill('AK')
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText(/^This computer doesn’t trust the certificate of 127\.0\.0\.1/).waitFor()
  await shot(page, 'place-certificate-untrusted')
  await form.getByRole('button', { name: 'Show certificate…' }).click()
  const { host } = new URL(secure)
  const certificate = page.getByRole('dialog', { name: `Certificate of ${host}` })
  await certificate.getByText('It is self-signed: only the server itself vouches for it.').waitFor()
  await certificate.getByText(new X509Certificate(CERTIFICATES.good.cert).fingerprint256).waitFor()
  await shot(page, 'place-certificate')
  await certificate.getByRole('button', { name: `Trust this certificate for ${host}` }).click()
  await certificate.waitFor({ state: 'detached' })
  await form.getByText('2 buckets').waitFor()
  await shot(page, 'place-certificate-trusted')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await place(page, 'MinIO').waitFor()
})

/** The files under a folder that hold this text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])))
  return found.flat()
}
