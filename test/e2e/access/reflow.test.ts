import { readFile, writeFile } from 'node:fs/promises'
import * as https from 'node:https'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { everyState, transferError } from '../../support/fakes/every-state.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { startS3Service } from '../../support/servers/s3-service.ts'
import { listenUntilTestEnds } from '../../support/servers/scripted-server.ts'
import { beginUpload } from '../../support/tools/begin-upload.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { openWorld, row, openStudio } from '../../support/window/browser-world.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { coveredFocus, sidewaysFaults } from '../../support/window/overlaps.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tour } from '../../support/window/tour.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { choosePaths, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { enqueueLink, openStudio as openDesk, shot, transferRow } from '../../support/window/desk-window.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** The size that reflow is asked for, which is 320 by 240 CSS pixels (WCAG 2.2, 1.4.10), and one where buttons stay. */
const SIZES: readonly (readonly [readonly [number, number], number])[] = [
  [[640, 480], 2],
  [[640, 480], 1],
]

const PART = 8 * MIB
const SHEET = '[role="dialog"], [role="alertdialog"]'

/** Looks at the open sheet in a small window. */
function createJudge({ app, page }: Pick<LaunchedSluice, 'app' | 'page'>) {
  const found: string[] = []
  const seen: string[] = []
  async function judge(view: string): Promise<void> {
    if ((await page.locator(SHEET).count()) === 0) return
    // A list of choices, or a menu, would close with the change of the window's size.
    if ((await page.locator('[role="listbox"], [role="menu"]').count()) > 0) return
    seen.push(view)
    for (const [size, zoom] of SIZES) {
      await resize({ app, page }, size, zoom)
      const where = `${view}, ${String(size[0])} at ${String(zoom * 100)} %`
      found.push(...(await sidewaysFaults(page)).map((fault) => `${where}: ${fault}`))
      await shot(page, `reflow-${where.replaceAll(/[^a-zA-Z0-9]+/g, '-')}`)
      const faults = await coveredFocus(page, ['Tab', 'Shift+Tab'])
      found.push(...faults.map((fault) => `${where}: ${fault}`))
    }
    await resize({ app, page }, [1080, 720], 1)
  }
  return { judge, found, seen }
}

const close = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.locator(SHEET).first().waitFor({ state: 'detached' })
}

it('needs no scrolling sideways and covers no focus in any sheet of the tour, however small the window', async () => {
  const world = await openWorld()
  const { judge, found, seen } = createJudge(world)
  await tour(world, judge)
  expect(found).toEqual([])
  expect(seen.length).toBeGreaterThan(12)
}, 600_000)

it('holds to the same in the sheets of the browser', async () => {
  const service = await startS3Service('media')
  const world = await openWorld({ endpoint: service.endpoint, dialect: 's3', bucket: '' })
  const store = openS3(service.endpoint, { bucket: 'media' })
  for (const key of ['film.mov', 'shot list of the second day, with remarks.txt', 'raw/1.bin'])
    await store.putObject({ key, body: bodyOf(Buffer.from(key)), signal })
  const { page } = world
  const { judge, found } = createJudge(world)
  const tools = page.getByRole('toolbar', { name: 'Actions' })
  const grid = page.getByRole('grid', { name: 'Files' })
  await openStudio(page)
  await tools.getByRole('button', { name: 'New bucket…' }).click()
  await page.getByRole('dialog', { name: 'New bucket' }).getByLabel('Name').fill('-')
  await judge('new bucket')
  await close(page)
  await page.getByRole('textbox', { name: 'Open a bucket by its name' }).fill('media')
  await page.keyboard.press('Enter')
  await row(grid, 'film.mov').waitFor()
  await tools.getByRole('button', { name: 'New folder…' }).click()
  await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').fill('raw')
  await judge('new folder')
  await close(page)
  for (const [name, item] of [
    ['film.mov', 'Rename…'],
    ['raw, folder', 'Move to…'],
    ['shot list of the second day, with remarks.txt', 'Preview'],
    ['raw, folder', 'Delete…'],
  ] as const) {
    await row(grid, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    await page.locator(SHEET).first().waitFor()
    await judge(item)
    await close(page)
  }
  const folder = await tempDir()
  for (const name of ['film.mov', 'film of the second day.mov']) await writeFile(join(folder, name), 'another film')
  await store.putObject({ key: 'film of the second day.mov', body: bodyOf(Buffer.from('film')), signal })
  await dropFiles(page, [join(folder, 'film.mov'), join(folder, 'film of the second day.mov')])
  await page.getByRole('dialog', { name: '2 files already exist' }).waitFor()
  await judge('taken')
  expect(found).toEqual([])
}, 600_000)

it('holds to the same in the questions and sheets about transfers, and in those of the menu Help', async () => {
  const world = await openWorld()
  const { app, page } = world
  const { judge, found } = createJudge(world)
  const states = everyState()
  const [moving] = states
  if (moving === undefined) throw new Error('No row.')
  const failed = (code: Parameters<typeof transferError>[0], changes: Partial<TransferRow> = {}): TransferRow => ({
    ...{ ...moving, id: code, name: `${code}.mov`, status: 'failed', direction: 'download', ...changes },
    error: transferError(code),
  })
  const dispute = {
    found: { sizeBytes: 17, etag: '"5d41402abc4b2a76b9719d911017c592"', lastModified: 'Sun, 29 Nov 2026 14:00:00 GMT' },
    expected: { sizeBytes: 17_825_792, etag: '"7d793037a0760186574b0282f2f435e7"' },
  }
  const disputed: TransferRow = {
    ...failed('conflict-on-server', { direction: 'upload' }),
    error: { ...transferError('conflict-on-server'), dispute },
  }
  await tellRows(world, [
    ...states.filter(({ name }) => name === 'paused.mov'),
    failed('link-expired', { placeId: null, key: 'https://example.com/film.mov' }),
    disputed,
  ])
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  await row(grid, 'link-expired.mov').getByRole('button', { name: 'Paste new link…' }).click()
  await page.getByRole('dialog', { name: 'New link for link-expired.mov' }).waitFor()
  await judge('new link')
  await close(page)
  await row(grid, 'conflict-on-server.mov').getByRole('button', { name: 'Decide…' }).click()
  await page.locator(SHEET).first().waitFor()
  await judge('decide')
  await close(page)
  for (const [key, question] of [
    ['Delete', /^Remove paused\.mov from the list/],
    ['Shift+Delete', /^Discard the upload of paused\.mov/],
  ] as const) {
    await row(grid, 'paused.mov').click()
    await page.keyboard.press(key)
    await page.getByRole('alertdialog', { name: question }).waitFor()
    await judge(String(question))
    await close(page)
  }
  for (const item of ['shortcuts', 'save-report', 'about']) {
    await app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click() as undefined, item)
    await page.getByRole('dialog').waitFor()
    await judge(item)
    await close(page)
  }
  expect(found).toEqual([])
}, 600_000)

it('holds to the same in forms that show all they have', async () => {
  const world = await openWorld()
  const { page } = world
  const { judge, found } = createJudge(world)
  await page.keyboard.press('ControlOrMeta+,')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name: 'Bandwidth' }).click()
  await settings.getByText('Use low speed on a schedule').click()
  await settings.getByRole('checkbox', { name: 'Monday' }).waitFor()
  await judge('schedule')
  await settings.getByRole('tab', { name: 'Network' }).click()
  await settings.getByText('Manual', { exact: true }).click()
  await settings.getByLabel('Port').fill('100000')
  await judge('proxy')
  await settings.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Edit place…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Studio' })
  await form.getByLabel('Endpoint').fill('http://127.0.0.1:9')
  await form.getByLabel('Secret key').fill('another')
  await form.getByRole('button', { name: 'Advanced' }).click()
  await form.getByRole('button', { name: 'Test' }).click()
  await form.getByText('Nothing answers at 127.0.0.1').waitFor()
  await judge('place, tested')
  expect(found).toEqual([])
}, 600_000)

it('holds to the same where an earlier upload, or a list of parts, is finished', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const name = 'raw footage of the second day, camera B, with remarks.mov'
  const source = join(folder, name)
  await writeRandomFile(source, 2 * PART + 5)
  const bytes = await readFile(source)
  const [first, second] = [bytes.subarray(0, PART), bytes.subarray(PART, 2 * PART)]
  for (const parts of [[first, second], [first], [Buffer.alloc(PART)]]) await beginUpload(proxy, name, parts)
  const { app, page } = await openDesk(proxy, join(folder, 'user-data'))
  const { judge, found, seen } = createJudge({ app, page })
  await dropFiles(page, [source])
  const earlier = page.getByRole('dialog', { name: 'Finish the earlier upload?' })
  await earlier.getByRole('radio').first().waitFor({ state: 'attached' })
  await judge('earlier uploads')
  await earlier.getByRole('button', { name: 'Discard old parts…' }).click()
  await page.getByRole('alertdialog').waitFor()
  await judge('earlier upload, discarded')
  await page.getByRole('alertdialog').press('Escape')
  // Until the question has given focus back, nothing below it hears a key.
  await expect.poll(() => earlier.evaluate((sheet) => sheet.contains(document.activeElement))).toBe(true)
  await close(page)

  const key = 'media/2026/day 2/film.mov'
  const uploadId = await beginUpload(proxy, key, [first, second])
  const { Parts } = (await (await fetch(`${proxy.endpoint}/demo/${key}?uploadId=${uploadId}`)).json()) as {
    Parts: object[]
  }
  const lists = { whole: Parts, lacking: Parts.slice(1) }
  const sheet = page.getByRole('dialog', { name: 'Finish the upload of this parts list?' })
  for (const [list, parts] of Object.entries(lists)) {
    const path = join(folder, `${list} list of parts, from elsewhere.json`)
    await writeFile(path, JSON.stringify({ uploadId, Parts: parts }))
    await dropFiles(page, [path])
    await sheet.getByRole('button', { name: list === 'whole' ? 'Complete' : 'Choose the file and fill in…' }).waitFor()
    await judge(`parts list, ${list}`)
    await close(page)
  }
  await writeFile(join(folder, 'of nothing.json'), JSON.stringify({ uploadId: 'gone', Parts }))
  await dropFiles(page, [join(folder, 'of nothing.json')])
  await sheet.getByRole('button', { name: 'Close' }).waitFor()
  await judge('parts list of nothing')
  expect(found).toEqual([])
  expect(seen).toHaveLength(5)
}, 600_000)

it('holds to the same for a certificate and a bucket that are asked about', async () => {
  const service = await startS3Service('media')
  const world = await openWorld({ endpoint: service.endpoint, dialect: 's3', bucket: '' })
  const { app, page } = world
  const { judge, found, seen } = createJudge(world)
  const server = https.createServer(CERTIFICATES.good, (_request, response) => response.end('content'))
  const endpoint = await listenUntilTestEnds(server, 'https')
  const folder = await tempDir()
  await choosePaths({ app }, folder)
  await enqueueLink(page, `${endpoint}/film.mov`, folder)
  const failed = transferRow(page, 'film.mov')
  await failed.getByRole('button', { name: 'Show certificate…' }).click()
  await page.getByRole('dialog').getByText('It is self-signed').waitFor()
  await judge('certificate')
  await close(page)

  const places = await page.evaluate(() => window.sluice.invoke('places:list', null))
  const studio = places.ok ? places.value.find((place) => place.name === 'Studio') : undefined
  const [state] = everyState()
  if (state === undefined || studio === undefined) throw new Error('No row, or no place')
  const lost = {
    ...state,
    id: 'lost',
    name: 'lost.mov',
    status: 'failed',
    error: transferError('no-such-bucket'),
  } as const
  await tellRows(world, [{ ...lost, placeId: studio.id, bucket: 'media-of-last-year' }])
  await transferRow(page, 'lost.mov').getByRole('button', { name: 'Choose bucket…' }).click()
  await page.getByRole('dialog').getByLabel('Bucket').fill('Not a bucket')
  await judge('bucket')
  expect(found).toEqual([])
  expect(seen).toHaveLength(2)
}, 600_000)
