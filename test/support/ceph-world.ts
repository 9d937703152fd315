import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createStore } from '../../electron/stores/index.ts'
import type { ObjectStore } from '../../electron/stores/object-store.ts'
import { createSigV4, EMPTY_SHA256 } from '../../electron/stores/s3/signer.ts'
import type { Gateway } from '../ceph/support/global-setup.ts'
import { bodyOf, signal } from '../stores/support/open-store.ts'
import { launchSluice, type LaunchedSluice } from './electron-app.ts'
import { tempDir } from './temp-dir.ts'

/** A window with the place “Ceph”, which spans all buckets, and a bucket of its own. */
export interface CephWorld extends Pick<LaunchedSluice, 'app' | 'page'> {
  readonly bucket: string
  /** The bucket, without the window. */
  readonly store: ObjectStore
  /** The same as a computer sees it whose clock is wrong. */
  readonly storeAtClock: (now: () => number) => ObjectStore
  readonly put: (key: string, text: string) => Promise<unknown>
  readonly keysUnder: (prefix: string) => Promise<readonly string[]>
  readonly downloads: string
}

export async function openCeph(gateway: Gateway): Promise<CephWorld> {
  const folder = await tempDir()
  const downloads = join(folder, 'downloads')
  await mkdir(downloads)
  const { endpoint, region, ...credentials } = gateway
  const bucket = `window-${randomUUID()}`
  await createBucket(gateway, bucket)
  const how = { dialect: 's3', pathStyle: true, scheme: '', signature: 'hmac-sha256' } as const
  const storeAtClock = (now: () => number) => {
    const opened = createStore({ ...how, endpoint, bucket, region, credentials, now })
    onTestFinished(() => opened.close())
    return opened
  }
  const store = storeAtClock(Date.now)
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await page.evaluate((downloadsFolder) => window.sluice.invoke('settings:set', { downloadsFolder }), downloads)
  await page.reload()
  await addByForm(page, gateway)
  const put = (key: string, text: string) => store.putObject({ key, body: bodyOf(Buffer.from(text)), signal })
  const keysUnder = async (prefix: string) =>
    (await store.listObjects({ prefix, signal })).objects.map(({ key }) => key)
  return { app, page, bucket, store, storeAtClock, put, keysUnder, downloads }
}

/** Adds the place as a person would, key by key, and has it tested. */
async function addByForm(page: Page, { endpoint, accessKeyId, secretAccessKey }: Gateway): Promise<void> {
  await page.getByRole('button', { name: 'Add place' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('option', { name: 'Ceph' }).click()
  await sheet.getByLabel('Endpoint').pressSequentially(endpoint)
  await sheet.getByLabel('Access key ID').pressSequentially(accessKeyId)
  await sheet.getByLabel('Secret key').pressSequentially(secretAccessKey)
  await sheet.getByRole('button', { name: 'Test' }).click()
  for (const step of ['Name', 'Connection', 'Clock', 'Signature', 'Listing']) {
    await sheet.getByRole('listitem', { name: `${step} works` }).waitFor()
  }
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ceph', exact: true }).click()
}

async function createBucket({ endpoint, region, ...credentials }: Gateway, bucket: string): Promise<void> {
  const headers = { host: new URL(endpoint).host }
  const request = { method: 'PUT', path: `/${bucket}`, query: '', headers, payloadHash: EMPTY_SHA256 }
  const proof = createSigV4().sign(request, { credentials, region, dateMs: Date.now() })
  const response = await fetch(`${endpoint}/${bucket}`, { method: 'PUT', headers: proof })
  if (!response.ok) throw new Error(`The bucket was not created: ${await response.text()}`)
}
