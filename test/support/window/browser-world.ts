import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { createStorageStore } from '../../../electron/stores/storage/storage-store.ts'
import type { StoreDialect } from '../../../shared/place/place.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { bodyOf, CREDENTIALS, signal } from '../../stores/support/open-store.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { startS3Service } from '../servers/s3-service.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { shot } from './desk-window.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from './electron-app.ts'

const OTHERWISE = { name: 'Studio', sessionToken: '', profile: '', preset: 'storage', color: 'none' } as const

export interface BrowserWorld extends Pick<LaunchedSluice, 'app' | 'page'> {
  /** What the place is reached through. */
  readonly proxy: FaultProxy
  /** The bucket `media`. */
  readonly store: ObjectStore
  readonly put: (key: string, text: string) => Promise<unknown>
  readonly downloads: string
}

interface WorldOptions {
  readonly bucket?: string
  readonly endpoint?: string
  readonly dialect?: StoreDialect
  readonly environment?: Readonly<Record<string, string>>
}

/** A window with a place named Studio on a store of its own, or on the service at `endpoint`. */
export async function openWorld(options: WorldOptions = {}): Promise<BrowserWorld> {
  const { bucket = 'media', endpoint = '', dialect = 'storage', environment = {} } = options
  const folder = await tempDir()
  const downloads = join(folder, 'downloads')
  await mkdir(downloads)
  const service = await startDemoStore({
    directory: join(folder, 'store'),
    buckets: ['media', 'empty'],
    credentials: CREDENTIALS,
  })
  const proxy = await startFaultProxy({ target: endpoint || service.endpoint })
  onTestFinished(async () => {
    await proxy.close()
    await service.close()
  })
  const where = { endpoint: proxy.endpoint, dialect, pathStyle: true, region: '' } as const
  const how = { scheme: 'STORAGE', signature: 'hmac-sha1' } as const
  const direct = { ...where, ...how, endpoint: service.endpoint, bucket: 'media', credentials: CREDENTIALS }
  const store = createStorageStore(direct)
  onTestFinished(() => store.close())
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data'), environment })
  onTestFinished(close)
  await choosePaths({ app }, downloads)
  await page.evaluate(
    async ([place, downloadsFolder]) => {
      await window.sluice.invoke('places:add', place)
      await window.sluice.invoke('settings:set', { downloadsFolder })
    },
    [{ ...where, ...how, ...CREDENTIALS, ...OTHERWISE, bucket }, downloads] as const,
  )
  await page.reload()
  const put = (key: string, text: string) => store.putObject({ key, body: bodyOf(Buffer.from(text)), signal })
  return { app, page, proxy, store, put, downloads }
}

/** A window on the bucket `media` of a service that makes copies. */
export async function openCopyingWorld() {
  const service = await startS3Service('media')
  const world = await openWorld({ endpoint: service.endpoint, dialect: 's3' })
  const store = openS3(service.endpoint, { bucket: 'media' })
  return {
    ...world,
    store,
    put: (key: string, text = key) => store.putObject({ key, body: bodyOf(Buffer.from(text)), signal }),
    keys: async () => (await store.listObjects({ signal })).objects.map(({ key }) => key),
    grid: world.page.getByRole('grid', { name: 'Files' }),
    sheet: world.page.getByRole('dialog'),
  }
}

/** Opens the place in the browser. */
export async function openStudio(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
}

export function row(grid: Locator, name: string): Locator {
  return grid.getByRole('row', { name, exact: true })
}

export function namesIn(grid: Locator): Promise<readonly (string | null)[]> {
  return grid
    .locator('[role="row"][data-key]')
    .evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label')))
}

const WIDTHS = [1080, 800]

/** Keeps pictures of the window for people to look at: both widths that it must look right in, light and dark. */
export async function pictures({ app, page }: Pick<LaunchedSluice, 'app' | 'page'>, name: string): Promise<void> {
  for (const width of WIDTHS.toReversed()) {
    await app.evaluate(({ BrowserWindow }, wide) => BrowserWindow.getAllWindows()[0]?.setSize(wide, 720), width)
    await page.waitForFunction((wide) => Math.abs(window.innerWidth - wide) < 40, width)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `${name}-${String(width)}-${colorScheme}`)
    }
  }
}
