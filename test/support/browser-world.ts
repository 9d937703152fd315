import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { createStorageStore } from '../../electron/stores/index.ts'
import type { ObjectStore } from '../../electron/stores/object-store.ts'
import { bodyOf, CREDENTIALS, signal } from '../stores/support/open-store.ts'
import { launchSluice } from './electron-app.ts'
import { tempDir } from './temp-dir.ts'

const OTHERWISE = { name: 'Studio', sessionToken: '', profile: '', preset: 'storage', color: 'none' } as const

export interface BrowserWorld {
  readonly page: Page
  /** The bucket `media`. */
  readonly store: ObjectStore
  readonly put: (key: string, text: string) => Promise<unknown>
  readonly downloads: string
}

/** A window with a place named Studio on a store of its own. */
export async function openWorld({ bucket = 'media', endpoint = '' } = {}): Promise<BrowserWorld> {
  const folder = await tempDir()
  const downloads = join(folder, 'downloads')
  await mkdir(downloads)
  const service = await startDemoStore({
    directory: join(folder, 'store'),
    buckets: ['media', 'empty'],
    credentials: CREDENTIALS,
  })
  onTestFinished(() => service.close())
  const where = { endpoint: service.endpoint, dialect: 'storage', pathStyle: true, region: '' } as const
  const how = { scheme: 'STORAGE', signature: 'hmac-sha1' } as const
  const store = createStorageStore({ ...where, ...how, bucket: 'media', credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await page.evaluate(
    async ([place, downloadsFolder]) => {
      await window.sluice.invoke('places:add', place)
      await window.sluice.invoke('settings:set', { downloadsFolder })
    },
    [
      { ...where, ...how, ...CREDENTIALS, ...OTHERWISE, bucket, endpoint: endpoint || where.endpoint },
      downloads,
    ] as const,
  )
  await page.reload()
  const put = (key: string, text: string) => store.putObject({ key, body: bodyOf(Buffer.from(text)), signal })
  return { page, store, put, downloads }
}

/** Opens the place in the browser. */
export async function openStudio(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
}

export function row(grid: Locator, name: string): Locator {
  return grid.getByRole('row', { name, exact: true })
}
