import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { namesIn, openCopyingWorld, openStudio, openWorld, pictures, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { watchDragImages } from '../../support/window/drop-files.ts'
import { holdSprings } from '../../support/window/held-waits.ts'

/** Drags a row over something, and doesn't let go. */
async function drag(page: Page, from: Locator, over: Locator): Promise<void> {
  await from.locator('[data-grip]').first().hover()
  await page.mouse.down()
  await over.hover()
}

/** The first event over another element only enters it. */
async function holdOver(over: Locator): Promise<void> {
  await over.hover()
  await over.hover()
}

/** The color around what dragged rows would go to; empty: they would go nowhere. */
function outlineOf(target: Locator): Promise<string> {
  return target.evaluate((element) => {
    const { outlineStyle, outlineColor } = getComputedStyle(element)
    return outlineStyle === 'solid' ? outlineColor : ''
  })
}

/** Return moves what was dropped, because the button that does has the focus. */
async function confirm(page: Page): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true })
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
}

function step(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Folder' }).getByRole('button', { name, exact: true })
}

it('moves rows that are dropped on a folder, once that is confirmed', async () => {
  const world = await openCopyingWorld()
  const { app, page, put, keys, grid, sheet } = world
  for (const key of ['in/a.txt', 'in/b.txt', 'in/deep/c.txt', 'in/out/d.txt', 'in/stays.txt']) await put(key)
  await openStudio(page)
  await row(grid, 'in, folder').dblclick()
  const letOpen = await holdSprings(page)
  await row(grid, 'a.txt').click()
  await row(grid, 'b.txt').click({ modifiers: ['Shift'] })
  await row(grid, 'deep, folder').click({ modifiers: ['ControlOrMeta'] })
  const dragImages = await watchDragImages(page)
  await drag(page, row(grid, 'b.txt'), row(grid, 'out, folder'))
  await expect.poll(dragImages).toEqual(['3 items'])
  await expect.poll(() => outlineOf(row(grid, 'out, folder'))).not.toBe('')
  await pictures({ app, page }, 'drag-over-folder')
  // Not on a file, and not on one of those that are dragged.
  await row(grid, 'stays.txt').hover()
  await expect.poll(() => outlineOf(row(grid, 'out, folder'))).toBe('')
  await row(grid, 'deep, folder').hover()
  expect(await outlineOf(row(grid, 'deep, folder'))).toBe('')
  await row(grid, 'out, folder').hover()
  await page.mouse.up()
  await sheet.getByText('3 files').waitFor()
  expect(await sheet.getByLabel('Folder').inputValue()).toBe('in/out/')
  await pictures({ app, page }, 'drag-confirm')
  expect(await keys()).toContain('in/a.txt')
  await confirm(page)
  await page.getByRole('status').filter({ hasText: '3 files moved to in/out/.' }).waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['out, folder', 'stays.txt'])
  expect(await keys()).toEqual(['in/out/a.txt', 'in/out/b.txt', 'in/out/d.txt', 'in/out/deep/c.txt', 'in/stays.txt'])

  // Folders open under rows that are held over them, and close again if nothing is dropped there.
  await letOpen()
  await drag(page, row(grid, 'stays.txt'), row(grid, 'out, folder'))
  await row(grid, 'out, folder').hover()
  await expect.poll(() => namesIn(grid)).toEqual(['deep, folder', 'a.txt', 'b.txt', 'd.txt'])
  await holdOver(row(grid, 'deep, folder'))
  await expect.poll(() => namesIn(grid)).toEqual(['c.txt'])
  await pictures(world, 'drag-spring-loaded')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect.poll(() => namesIn(grid)).toEqual(['out, folder', 'stays.txt'])
  expect(await row(grid, 'stays.txt').getAttribute('aria-selected')).toBe('true')
  expect(await sheet.count()).toBe(0)

  // Anywhere in the folder, also on a file of it; and they close, too, where the answer is no.
  const dropInside = async () => {
    await drag(page, row(grid, 'stays.txt'), row(grid, 'out, folder'))
    await row(grid, 'out, folder').hover()
    await holdOver(row(grid, 'd.txt'))
    await page.mouse.up()
    await sheet.getByLabel('Folder').waitFor()
  }
  await dropInside()
  expect(await namesIn(grid)).toContain('d.txt')
  await page.keyboard.press('Escape')
  await expect.poll(() => namesIn(grid)).toEqual(['out, folder', 'stays.txt'])
  await dropInside()
  expect(await sheet.getByLabel('Folder').inputValue()).toBe('in/out/')
  await confirm(page)
  await page.getByText('1 file moved to in/out/.').waitFor()
  await expect.poll(() => namesIn(grid)).toContain('stays.txt')
  expect(await keys()).toContain('in/out/stays.txt')
})

it('moves a row that is dropped on a step of the path, and replaces nothing there', async () => {
  const world = await openCopyingWorld()
  const { page, put, keys, grid, sheet } = world
  for (const key of ['in/out/a.txt', 'in/out/b.txt', 'in/b.txt']) await put(key)
  await openStudio(page)
  await row(grid, 'in, folder').dblclick()
  await row(grid, 'out, folder').dblclick()
  await row(grid, 'b.txt').waitFor()
  await holdSprings(page)
  await drag(page, row(grid, 'b.txt'), step(page, 'in'))
  await expect.poll(() => outlineOf(step(page, 'in'))).not.toBe('')
  await shot(page, 'drag-over-path')
  await page.mouse.up()
  await confirm(page)
  await sheet.getByText('in/b.txt already exists. Nothing was replaced.').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await keys()).toEqual(['in/b.txt', 'in/out/a.txt', 'in/out/b.txt'])

  // The top of the bucket has no name of its own. The open folder already has them.
  await drag(page, row(grid, 'b.txt'), step(page, 'out'))
  expect(await outlineOf(step(page, 'out'))).toBe('')
  await step(page, 'Studio').hover()
  await expect.poll(() => outlineOf(step(page, 'Studio'))).not.toBe('')
  await page.mouse.up()
  await sheet.getByLabel('Folder').waitFor()
  expect(await sheet.getByLabel('Folder').inputValue()).toBe('')
  await confirm(page)
  await page.getByText('1 file moved to media.').waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['a.txt'])
  expect(await keys()).toEqual(['b.txt', 'in/b.txt', 'in/out/a.txt'])
})

it('moves nothing after Escape, nor on a service that makes no copies', async () => {
  const { page, put, keys, grid, sheet } = await openCopyingWorld()
  await put('a.txt')
  await put('out/b.txt')
  await openStudio(page)
  const zone = page.getByText('Download 1 item to')
  await row(grid, 'a.txt').waitFor()
  await holdSprings(page)
  await drag(page, row(grid, 'a.txt'), row(grid, 'out, folder'))
  await expect.poll(() => outlineOf(row(grid, 'out, folder'))).not.toBe('')
  await zone.waitFor()
  await page.keyboard.press('Escape')
  await zone.waitFor({ state: 'detached' })
  expect(await outlineOf(row(grid, 'out, folder'))).toBe('')
  await page.mouse.up()
  expect(await sheet.count()).toBe(0)
  expect(await keys()).toEqual(['a.txt', 'out/b.txt'])

  const other = await openWorld()
  await other.put('a.txt', 'a')
  await other.put('out/b.txt', 'b')
  await openStudio(other.page)
  const rows = other.page.getByRole('grid', { name: 'Files' })
  await row(rows, 'a.txt').waitFor()
  await drag(other.page, row(rows, 'a.txt'), row(rows, 'out, folder'))
  await other.page.getByText('Download 1 item to').waitFor()
  expect(await outlineOf(row(rows, 'out, folder'))).toBe('')
  await other.page.mouse.up()
  await other.page.getByText('Download 1 item to').waitFor({ state: 'detached' })
  expect(await other.page.getByRole('dialog').count()).toBe(0)
})
