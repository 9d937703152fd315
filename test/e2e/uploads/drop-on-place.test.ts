import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const CREDENTIALS = { accessKeyId: 'AK', secretAccessKey: 'right' }

/** A window with the place Studio, which is the current one, and others that are not. */
async function openWorld() {
  const folder = await tempDir()
  const directory = join(folder, 'store')
  const store = await startDemoStore({ directory, buckets: ['media', 'archive'], credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  const { page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  for (const [name, bucket] of [['Studio', 'media'] as const, ['Archive', 'archive'] as const, ['Any', ''] as const]) {
    await page.evaluate((place) => window.sluice.invoke('places:add', place), {
      ...({ dialect: 'storage', pathStyle: true, scheme: 'STORAGE', signature: 'hmac-sha1', region: '' } as const),
      ...({ sessionToken: '', profile: '', preset: 'storage', color: 'none', ...CREDENTIALS } as const),
      ...{ name, bucket, endpoint: store.endpoint },
    })
  }
  await page.reload()
  return { folder, page }
}

async function middleOf(locator: Locator) {
  const box = await locator.boundingBox()
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
}

/** Drags files over a point without dropping them. */
async function drag(page: Page, files: readonly string[], at: { readonly x: number; readonly y: number }) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await session.detach()
}

/** The rows as they were added: the snapshot has them as the window shows them. */
async function rows(page: Page) {
  const queue = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  return queue.ok ? queue.value.rows.toSorted((a, b) => a.position - b.position) : []
}

it('uploads what is dropped on a place to its bucket, and asks for one where it has all', async () => {
  const { folder, page } = await openWorld()
  const place = (name: string) => page.getByRole('button', { name, exact: true })
  // What rests on a place for a moment opens it: whether it did depends on how fast the machine is.
  const showTransfers = () => page.getByRole('button', { name: /^All/ }).click()
  const [film, notes] = [join(folder, 'film.mov'), join(folder, 'notes.txt')]
  await Promise.all([writeFile(film, 'film'), writeFile(notes, 'notes')])

  const archive = await middleOf(place('Archive'))
  await drag(page, [film], archive)
  await page.getByText('Upload 1 item to Archive').waitFor()
  await shot(page, 'drop-on-place')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'drop-on-place-dark')
  await dropFiles(page, [film], archive)
  await showTransfers()
  await reads(transferRow(page, 'film.mov'), 'verified')
  expect(await rows(page)).toMatchObject([{ bucket: 'archive', key: 'film.mov' }])

  const any = await middleOf(place('Any'))
  await drag(page, [notes], any)
  await page.getByText('Upload 1 item to a bucket of Any').waitFor()
  await dropFiles(page, [notes], any)
  const sheet = page.getByRole('dialog', { name: 'Upload notes.txt' })
  expect(await sheet.getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true)
  await sheet.getByLabel('Bucket', { exact: true }).fill('media')
  await shot(page, 'drop-on-place-bucket-dark')
  await sheet.getByLabel('Bucket', { exact: true }).press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await showTransfers()
  await reads(transferRow(page, 'notes.txt'), 'verified')

  await page.reload()
  const later = join(folder, 'later.txt')
  await writeFile(later, 'later')
  await dropFiles(page, [later], await middleOf(place('Any')))
  const again = page.getByRole('dialog', { name: 'Upload later.txt' })
  const bucket = again.getByLabel('Bucket', { exact: true })
  expect(await bucket.inputValue()).toBe('media')
  const suggested = () =>
    bucket.evaluate((field: HTMLInputElement) => Array.from(field.list?.options ?? [], ({ value }) => value))
  await expect.poll(suggested).toEqual(['archive', 'media'])
  await page.keyboard.press('Escape')
  await again.waitFor({ state: 'detached' })

  const raw = join(folder, 'raw')
  await mkdir(raw)
  await writeFile(join(raw, 'one.raw'), 'one')
  await dropFiles(page, [raw], archive)
  await page.getByRole('dialog', { name: 'Upload raw' }).getByRole('button', { name: 'Upload', exact: true }).click()
  await reads(transferRow(page, 'raw'), 'verified')
  const listed = await rows(page)
  expect(listed).toMatchObject([{}, { bucket: 'media' }, { bucket: 'archive' }])
  // Files are rows of their own, however it was asked where they go; folders are one each.
  expect(listed.map(({ items }) => items != null)).toEqual([false, false, true])

  // The transfers of one place alone, until all are wanted again.
  const only = async (name: string) => {
    await place(name).hover()
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Show its transfers' }).click()
    await page.getByText(`Only transfers for ${name}`).waitFor()
  }
  await only('Archive')
  await transferRow(page, 'notes.txt').waitFor({ state: 'detached' })
  await transferRow(page, 'film.mov').waitFor()
  await shot(page, 'only-one-place-dark')
  await page.getByRole('button', { name: 'Show all' }).press('Enter')
  await transferRow(page, 'notes.txt').waitFor()
  // The button is gone: the keyboard goes on in the list.
  expect(await page.evaluate(() => document.activeElement?.closest('[role="treegrid"]') != null)).toBe(true)
  await only('Studio')
  await page.getByText('No transfers for this place').waitFor()
  await only('Any')
  await transferRow(page, 'notes.txt').press('Escape')
  await transferRow(page, 'notes.txt').press('Escape')
  await transferRow(page, 'film.mov').waitFor()
})

it('takes files that are let go the moment something comes under the pointer', async () => {
  const { folder, page } = await openWorld()
  const film = join(folder, 'film.mov')
  await writeFile(film, 'film')
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [film], dragOperationsMask: 1 }
  const archive = await middleOf(page.getByRole('button', { name: 'Archive', exact: true }))
  const list = await middleOf(page.getByRole('treegrid', { name: 'Transfers' }))
  // What is new under the pointer is entered, not dragged over.
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...list, data })
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...list, data })
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...archive, data })
  await expect.poll(() => rows(page)).toMatchObject([{ bucket: 'archive', key: 'film.mov' }])
})
