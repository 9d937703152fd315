import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createStore, type StoreConnection } from '../../../electron/stores/index.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { ServerAccess } from '../../s3/support/server-access.ts'
import { createS3World } from '../../s3/support/world.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from './electron-app.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { tempDir } from '../tools/temp-dir.ts'

/** A window with the place “Ceph”, which spans all buckets, and a bucket of its own. */
export interface CephWorld extends Pick<LaunchedSluice, 'app' | 'page'> {
  /** What the place is reached through. */
  readonly proxy: FaultProxy
  readonly bucket: string
  /** The bucket, without the window. */
  readonly store: ObjectStore
  /** How its service is reached, without the window. */
  readonly connection: (changes: Partial<StoreConnection>) => StoreConnection
  /** The same as a computer sees it whose clock is wrong. */
  readonly storeAtClock: (now: () => number) => ObjectStore
  readonly put: (key: string, text: string) => Promise<unknown>
  readonly keysUnder: (prefix: string) => Promise<readonly string[]>
  readonly downloads: string
}

export async function openCeph(access: ServerAccess): Promise<CephWorld> {
  const folder = await tempDir()
  const downloads = join(folder, 'downloads')
  await mkdir(downloads)
  const { bucket, store, connection } = await createS3World(access)
  const proxy = await startFaultProxy({ target: access.endpoint })
  onTestFinished(() => proxy.close())
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, downloads)
  await page.evaluate((downloadsFolder) => window.sluice.invoke('settings:set', { downloadsFolder }), downloads)
  await page.reload()
  await addByForm(page, { ...access, endpoint: proxy.endpoint })
  return {
    ...{ app, page, proxy, bucket, store, connection, downloads },
    storeAtClock: (now) => {
      const opened = createStore(connection({ now }))
      onTestFinished(() => opened.close())
      return opened
    },
    put: (key, text) => store.putObject({ key, body: bodyOf(Buffer.from(text)), signal }),
    keysUnder: async (prefix) => (await store.listObjects({ prefix, signal })).objects.map(({ key }) => key),
  }
}

/** Adds the place as a person would, key by key, and has it tested. */
async function addByForm(page: Page, { endpoint, accessKeyId, secretAccessKey }: ServerAccess): Promise<void> {
  await page.getByRole('button', { name: 'Add place' }).first().click()
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
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: 'Ceph', exact: true }).click()
}
