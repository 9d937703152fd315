import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { signal } from '../../stores/support/open-store.ts'
import { everyState } from '../fakes/every-state.ts'
import { showcaseDetails, showcaseRows } from '../fakes/showcase.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { openStudio, row, type BrowserWorld } from './browser-world.ts'
import { dropFiles } from './drop-files.ts'
import { resize, tellDetails, tellRows } from './told-rows.ts'

/** What is done in each view, while the window shows it; the view may be looked at in any light, at this size. */
export type Visit = (view: string) => Promise<void>

const OBJECTS = [
  ['Aurora – shot list.csv', 'scene,shot,seconds\n1,wide,12\n1,close,4\n'],
  ['Credits.txt', 'Written by Ada\n'],
  ['film.mov', 'the film'],
  ['raw/1.bin', 'one'],
] as const

/** Shows every view of the window, one after the other. */
export async function tour(world: BrowserWorld, visit: Visit): Promise<void> {
  for (const [key, text] of OBJECTS) await world.put(key, text)
  await tourQueue(world, visit)
  await tourSheets(world, visit)
  await tourBrowser(world, visit)
}

const closeSheet = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').first().waitFor({ state: 'detached' })
}

/** The lights of places follow the rows a moment later. */
async function needsAttention(page: Page, place: string): Promise<void> {
  await page.getByRole('button', { name: place, exact: true }).locator('[data-light="attention"]').waitFor()
}

/** How much room there is comes a moment after the rest of a sheet. */
async function tellsRoom(page: Page): Promise<void> {
  const room = page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: / free$/ })
  await room.waitFor()
}

async function tourQueue({ app, page }: BrowserWorld, visit: Visit): Promise<void> {
  await visit('empty queue')
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  const placeId = await page.evaluate(async () => {
    const places = await window.sluice.invoke('places:list', null)
    return places.ok ? (places.value.find(({ name }) => name === 'Studio')?.id ?? '') : ''
  })
  const showcase = showcaseRows(placeId, Date.now())
  await tellRows({ app, page }, showcase)
  await row(grid, 'Aurora – final cut.mov').click()
  await tellDetails({ app }, showcaseDetails(Date.now()))
  await page.getByRole('slider', { name: 'Parts map' }).waitFor()
  await needsAttention(page, 'Studio')
  await visit('queue')
  await resize({ app, page }, [640, 480])
  await visit('queue, 640 by 480')
  await resize({ app, page }, [1080, 720])
  await tellRows({ app, page }, everyState(Date.now() + 12_000), { instead: showcase })
  await needsAttention(page, 'Demo store')
  await row(grid, 'moving.mov').click()
  await visit('row of every state')
  await row(grid, 'failed.mov').click()
  await visit('failed row and inspector')
  await row(grid, 'failed.mov').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await visit('menu of a row')
  await page.getByRole('menuitem', { name: 'Speed limit…' }).click()
  await page.getByRole('dialog').waitFor()
  await visit('limit')
  await closeSheet(page)
  const filters = page.getByRole('navigation', { name: 'Sidebar' })
  await filters.getByRole('button', { name: /^Done/ }).click()
  await row(grid, 'done.mov').hover()
  await visit('actions of a done row')
  await filters.getByRole('button', { name: /^All/ }).click()
  await resize({ app, page }, [1080, 720], 2)
  await visit('queue at 200 %')
  await page.getByRole('button', { name: 'Sidebar' }).click()
  await visit('sidebar as a drawer')
  await page.keyboard.press('Escape')
  await resize({ app, page }, [1080, 720], 1)
  await tellRows({ app, page }, showcase, { instead: everyState() })
  await needsAttention(page, 'Studio')
}

async function tourSheets({ page }: BrowserWorld, visit: Visit): Promise<void> {
  // A link that another program has put on the clipboard would be offered.
  await page.evaluate(() => window.sluice.invoke('clipboard:write', { text: 'no link' }))
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('dialog').getByRole('tab').first().waitFor()
  for (const name of await page.getByRole('dialog').getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name }).click()
    if (name === 'Network') await page.getByText('Additional trusted certificates').waitFor()
    await visit(`settings, ${name}`)
  }
  await closeSheet(page)
  await page.getByRole('button', { name: 'Add place' }).first().click()
  await page.getByRole('dialog').waitFor()
  await visit('new place')
  await page.getByRole('button', { name: 'Advanced' }).click()
  await visit('new place, advanced')
  await page.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('listbox').waitFor()
  await visit('services')
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await page.getByRole('dialog').locator(':focus').waitFor()
  await closeSheet(page)
  await page.keyboard.press('ControlOrMeta+Shift+O')
  await page.getByText('1 folder, 3 files here').waitFor()
  await tellsRoom(page)
  await visit('download')
  await page.getByRole('tab', { name: 'Link or path' }).click()
  await page.getByLabel('Links or paths').fill('s3://nowhere/film.mov\nfilm.mov')
  await visit('typed links')
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No place has the bucket “nowhere” yet.').waitFor()
  await page.getByText('8 bytes', { exact: true }).waitFor()
  await tellsRoom(page)
  await visit('links')
  // Back to what was typed, and out of it.
  await page.keyboard.press('Escape')
  await page.getByLabel('Links or paths').waitFor()
  await closeSheet(page)
  const folder = join(await tempDir(), 'Shoot 12 Nov')
  await mkdir(folder)
  await writeFile(join(folder, 'film.mov'), 'film')
  await dropFiles(page, [folder])
  await page
    .getByRole('dialog', { name: /^Upload/ })
    .getByText('1 file, 4 bytes')
    .waitFor()
  await visit('upload')
  await closeSheet(page)
}

async function tourBrowser(world: BrowserWorld, visit: Visit): Promise<void> {
  const { app, page, store } = world
  await store.createMultipartUpload({ key: 'reel.mov', signal })
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'film.mov').click()
  await page.getByText('1 unfinished upload', { exact: true }).waitFor()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('button', { name: 'Copy ETag' }).waitFor()
  await inspector.getByRole('region', { name: 'Preview of film.mov' }).waitFor()
  await visit('browser')
  await page.keyboard.press('ControlOrMeta+A')
  await inspector.getByRole('button', { name: 'Calculate folder size' }).waitFor()
  await visit('several selected')
  await row(grid, 'film.mov').click()
  await resize({ app, page }, [640, 480])
  await visit('browser, 640 by 480')
  await resize({ app, page }, [1080, 720])
  for (const item of ['Copy link…', 'Delete…']) {
    await row(grid, 'film.mov').click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor()
    if (item === 'Delete…') await page.getByText('1 file, 8 bytes.').waitFor()
    await visit(item)
    await closeSheet(page)
  }
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menu').waitFor()
  await visit('menu of a place')
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  await page.getByRole('dialog').getByText('1 unfinished upload', { exact: true }).waitFor()
  await page.getByText('0 parts · 0 bytes').waitFor()
  await visit('unfinished uploads')
  await page.getByRole('button', { name: 'Actions for reel.mov' }).click()
  await page.getByRole('menuitem', { name: 'Discard…' }).click()
  await page.getByRole('alertdialog').waitFor()
  await visit('question above a sheet')
}
