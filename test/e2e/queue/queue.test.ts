import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { makeHollowFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles, uploadSlowly, watchDragImages } from '../../support/window/drop-files.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { holdToasts } from '../../support/window/held-waits.ts'

async function open(userDataDir: string): Promise<LaunchedSluice> {
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  return sluice
}

/** One transfer at a time, at a pace at which nothing ends. */
async function slowDown(page: Page): Promise<void> {
  await page.evaluate(() => window.sluice.invoke('settings:set', { activeTransfers: 1, limitBytesPerSecond: 200_000 }))
}

async function files(folder: string, names: readonly string[], sizeBytes: number): Promise<readonly string[]> {
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) await makeHollowFile(path, sizeBytes)
  return paths
}

/** Names of the rows below the head of a group, as they stand in the list. */
function namesIn(page: Page, group: string): Promise<readonly string[]> {
  return page.evaluate((wanted) => {
    const lines = [...document.querySelectorAll<HTMLElement>('[role="row"][data-id]')]
    lines.sort((left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top)
    const from = lines.findIndex((line) => line.dataset['id'] === `group:${wanted}`)
    const rest = from < 0 ? [] : lines.slice(from + 1)
    const end = rest.findIndex((line) => line.dataset['id']?.startsWith('group:'))
    return (end < 0 ? rest : rest.slice(0, end)).map((line) => line.getAttribute('aria-label') ?? '')
  }, group)
}

const MANY = Array.from({ length: 24 }, (_, index) => `note ${String(index + 1).padStart(2, '0')}.txt`)
const BIG = ['one.mov', 'two.mov', 'three.mov', 'four.mov']

it('shows and selects what is added, in groups that stay closed when they were closed', async () => {
  const folder = await tempDir()
  const { page, close } = await open(join(folder, 'user-data'))
  // A few at a time: more of them would be one row.
  for (let at = 0; at < MANY.length; at += 4) {
    const some = MANY.slice(at, at + 4)
    await dropFiles(page, await files(folder, some, 1000))
    await transferRow(page, some[0] ?? '').waitFor()
  }
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Done/ }), '24')
  await slowDown(page)
  await dropFiles(page, await files(folder, BIG, 40 * MIB))
  const first = transferRow(page, 'one.mov')
  await first.waitFor()
  expect(await first.getAttribute('aria-selected')).toBe('true')
  const list = await page.getByRole('treegrid', { name: 'Transfers' }).boundingBox()
  const box = await first.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(BIG.slice(1))
  expect(await namesIn(page, 'active')).toEqual(['one.mov'])
  expect((await transferRow(page, 'note 24.txt').boundingBox())?.height).toBe(36)
  await shot(page, 'queue-groups')

  const done = page.getByRole('treegrid', { name: 'Transfers' }).getByRole('button', { name: 'Done 24 transfers' })
  await done.click()
  expect(await done.getAttribute('aria-expanded')).toBe('false')
  await transferRow(page, 'note 24.txt').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await transferRow(page, 'note 24.txt').waitFor()
  await page.keyboard.press('ArrowLeft')
  await close()
  const again = await open(join(folder, 'user-data'))
  await again.page.getByRole('button', { name: 'Done 24 transfers', expanded: false }).waitFor()

  // Sorting is by the heads of the columns, within each group.
  await again.page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => namesIn(again.page, 'waiting')).toEqual(['four.mov', 'three.mov', 'two.mov'])
  expect(await again.page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
})

it('keeps the order that a person gives, and starts one over the limit', async () => {
  const folder = await tempDir()
  const { page, close } = await open(join(folder, 'user-data'))
  await slowDown(page)
  await dropFiles(page, await files(folder, BIG, 40 * MIB))
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['two.mov', 'three.mov', 'four.mov'])
  // From the filter field down into the list, and to a row by its first letter.
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('f')
  await expect.poll(() => transferRow(page, 'four.mov').evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['two.mov', 'four.mov', 'three.mov'])
  await page.keyboard.press('Alt+Shift+ArrowUp')
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['four.mov', 'two.mov', 'three.mov'])
  await reads(transferRow(page, 'four.mov'), 'starts next')
  const dragImages = await watchDragImages(page)
  await transferRow(page, 'three.mov')
    .getByText('three.mov')
    .dragTo(transferRow(page, 'two.mov'), { targetPosition: { x: 60, y: 6 } })
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['four.mov', 'three.mov', 'two.mov'])
  // A picture of the row would hide where it would go.
  expect(await dragImages()).toEqual(['three.mov'])
  // Below all rows is the end of their group, and its head the beginning.
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  const name = transferRow(page, 'four.mov').getByText('four.mov')
  await name.dragTo(grid, { targetPosition: { x: 200, y: ((await grid.boundingBox())?.height ?? 0) - 20 } })
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['three.mov', 'two.mov', 'four.mov'])
  await name.dragTo(grid.getByRole('button', { name: 'Waiting 3 transfers' }))
  await expect.poll(() => namesIn(page, 'waiting')).toEqual(['four.mov', 'three.mov', 'two.mov'])
  await close()

  const again = await open(join(folder, 'user-data'))
  await expect.poll(() => namesIn(again.page, 'waiting')).toEqual(['four.mov', 'three.mov', 'two.mov'])
  await transferRow(again.page, 'two.mov').click()
  await again.page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => namesIn(again.page, 'active')).toEqual(['two.mov', 'one.mov'])

  // Limits that differ stay as they are where none is typed.
  const rows = async () => {
    const queue = await again.page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
    return queue.ok ? queue.value.rows : []
  }
  const limited = (await rows()).slice(0, 1).map(({ id }) => id)
  await again.page.evaluate(
    (ids) => window.sluice.invoke('transfers:set-limit', { ids, limitBytesPerSecond: 500_000 }),
    limited,
  )
  await again.page.keyboard.press('ControlOrMeta+a')
  await transferRow(again.page, 'two.mov').click({ button: 'right' })
  await again.page.getByRole('menuitem', { name: 'Speed limit…' }).click()
  const sheet = again.page.getByRole('dialog', { name: 'Speed limit for 4 transfers' })
  await sheet.getByPlaceholder('Different limits').waitFor()
  await sheet.getByRole('button', { name: 'Set speed limit' }).click()
  await sheet.waitFor({ state: 'detached' })
  const having = (await rows()).filter(({ limitBytesPerSecond }) => limitBytesPerSecond === 500_000)
  expect(having.map(({ id }) => id)).toEqual(limited)
})

it('removes a row with its parts or without them, and gives cleared ones back', async () => {
  const folder = await tempDir()
  const { app, page } = await open(join(folder, 'user-data'))
  await dropFiles(page, await files(folder, ['small.txt'], 1000))
  await reads(transferRow(page, 'small.txt'), 'verified')
  const menu = (id: string): Promise<void> =>
    app.evaluate(({ Menu }, item) => {
      Menu.getApplicationMenu()?.getMenuItemById(item)?.click()
    }, id)
  // Not while a sheet lies over the list.
  await menu('settings')
  await page.getByRole('dialog').waitFor()
  await menu('clear-done')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const endToasts = await holdToasts(page)
  await menu('clear-done')
  await transferRow(page, 'small.txt').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await endToasts()
  await reads(transferRow(page, 'small.txt'), 'verified')
  await transferRow(page, 'small.txt').focus()
  await page.keyboard.press('Delete')
  await transferRow(page, 'small.txt').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Z')
  await reads(transferRow(page, 'small.txt'), 'verified')
  await transferRow(page, 'small.txt').press('Delete')
  await transferRow(page, 'small.txt').waitFor({ state: 'detached' })
  await menu('undo')
  await reads(transferRow(page, 'small.txt'), 'verified')

  const film = await uploadSlowly(page, folder)
  await film.getByRole('button', { name: 'Pause' }).click()
  await reads(film, 'Paused · ')
  await film.focus()
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog')
  await shot(page, 'queue-remove')
  await question.getByRole('button', { name: 'Remove and keep' }).click()
  await film.waitFor({ state: 'detached' })
  // The same file goes on where it was.
  await dropFiles(page, [join(folder, 'film.mov')])
  await film.waitFor()
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: null }))
  await expect.poll(() => film.textContent()).toMatch(/verified|Review…/)
})

it('leads from a finished upload to where it is, and names its menu', async () => {
  const folder = await tempDir()
  const { page } = await open(join(folder, 'user-data'))
  await dropFiles(page, await files(folder, ['clip.mov'], 1000))
  const row = transferRow(page, 'clip.mov')
  await reads(row, 'verified')
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('dialog', { name: 'Actions' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem')
  await shot(page, 'queue-menu')
  // Each name has the keys beside it that do the same, and a screen reader hears them.
  const items = await page.getByRole('menuitem').all()
  const keys = items.map(async (item) => [await item.innerText(), await item.getAttribute('aria-keyshortcuts')])
  expect(await Promise.all(keys)).toEqual([
    ['Copy link…\nEnter', 'Enter'],
    ['Preview\nSpace', 'Space'],
    ['Open\nShift+Enter', 'Shift+Enter'],
    ['Show in folder\nCtrl+Shift+F', 'Control+Shift+F'],
    ['Show on the server', null],
    ['Copy details\nCtrl+Shift+C', 'Control+Shift+C'],
    ['Remove from list\nDelete', 'Delete'],
  ])
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Copy link…' }).click()
  await page.getByRole('dialog', { name: 'Link to clip.mov' }).getByRole('button', { name: 'Cancel' }).click()
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show on the server' }).click()
  const found = page.getByRole('grid', { name: 'Files' }).getByRole('row', { name: 'clip.mov' })
  await found.waitFor()
})

it('shows the parts that are kept when a run fails before it could look for them', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const row = await uploadSlowly(page, folder)
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused · ')
  const kept = /[\d.]+ of 200 MB/.exec((await row.textContent()) ?? '')?.[0]
  proxy.rule({ fault: { kind: 'response', status: 403 } })
  await row.getByRole('button', { name: 'Resume' }).click()
  // A row under the pointer stays where it is.
  await page.mouse.move(0, 0)
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect.poll(() => page.getByRole('button', { name: 'Needs you 1 transfer' }).count()).toBe(1)
  expect(kept).toBeDefined()
  await expect.poll(() => inspector.getByText(/now|trying again/).count()).toBe(0)
  expect(await inspector.getByText(/^\d+ done$/).count()).toBe(1)
  expect(await row.getByRole('progressbar').getAttribute('aria-valuenow')).not.toBe('0')
  await shot(page, 'queue-failed-parts')
})

it('lets a row go to where it belongs after a press by key, and some seconds after the pointer came to rest', async () => {
  const folder = await tempDir()
  const { page } = await open(join(folder, 'user-data'))
  await slowDown(page)
  await dropFiles(page, await files(folder, ['one.mov'], 40 * MIB))
  const row = transferRow(page, 'one.mov')
  await row.click()
  await page.keyboard.press('Space')
  await expect.poll(() => namesIn(page, 'paused')).toEqual(['one.mov'])
  await page.mouse.move(5, 5)
  await row.getByRole('button', { name: 'Resume' }).click()
  await reads(page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Active/ }), '1')
  expect(await namesIn(page, 'paused')).toEqual(['one.mov'])
  await expect.poll(() => namesIn(page, 'active'), { timeout: 8000 }).toEqual(['one.mov'])
})
