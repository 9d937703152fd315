import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { everyState, transferError } from '../../support/fakes/every-state.ts'
import { startS3Service } from '../../support/servers/s3-service.ts'
import { openWorld, row, openStudio, type BrowserWorld } from '../../support/window/browser-world.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { coveredFocus, sidewaysFaults } from '../../support/window/overlaps.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tour } from '../../support/window/tour.ts'
import { shot } from '../../support/window/desk-window.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** The size that reflow is asked for, which is 320 by 240 CSS pixels (WCAG 2.2, 1.4.10), and one where buttons stay. */
const SIZES: readonly (readonly [readonly [number, number], number])[] = [
  [[640, 480], 2],
  [[640, 480], 1],
]

const SHEET = '[role="dialog"], [role="alertdialog"]'

/** Looks at the open sheet in a small window. */
function createJudge({ app, page }: BrowserWorld) {
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
