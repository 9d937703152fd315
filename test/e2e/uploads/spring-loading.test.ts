import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { namesIn, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { signal } from '../../stores/support/open-store.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function middleOf(locator: Locator) {
  const box = await locator.boundingBox()
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
}

it('opens a place, folders and steps of the path that files are held over, and takes them further in', async () => {
  const { page, put, store } = await openWorld()
  await put('media/raw/old.txt', 'old')
  const file = join(await tempDir(), 'new.txt')
  await writeFile(file, 'new')
  const grid = page.getByRole('grid', { name: 'Files' })
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop', over: Locator) =>
    session.send('Input.dispatchDragEvent', { type, ...(await middleOf(over)), data })
  /** The first event over another element only enters it. */
  const holdOver = async (over: Locator) => {
    await send('dragOver', over)
    await send('dragOver', over)
  }
  // From the list of transfers into the place, from there into its folders.
  const place = page.getByRole('button', { name: 'Studio', exact: true })
  await send('dragEnter', place)
  await holdOver(place)
  await row(grid, 'media, folder').waitFor()
  // It closes again where the files leave the window.
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })))
  await grid.waitFor({ state: 'detached' })
  await send('dragEnter', place)
  await holdOver(place)
  await row(grid, 'media, folder').waitFor()
  await holdOver(row(grid, 'media, folder'))
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder'])
  await holdOver(row(grid, 'raw, folder'))
  await page.getByText('Upload 1 item to Studio / media/raw/').waitFor()
  await shot(page, 'spring-loaded')
  await expect.poll(() => namesIn(grid)).toEqual(['old.txt'])
  const path = page.getByRole('navigation', { name: 'Folder' })
  await holdOver(path.getByText('media', { exact: true }))
  await page.getByText('Upload 1 item to Studio / media/', { exact: true }).waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder'])
  await holdOver(row(grid, 'raw, folder'))
  await expect.poll(() => namesIn(grid)).toEqual(['old.txt'])
  await holdOver(grid)
  await send('drop', grid)
  await row(grid, 'new.txt').waitFor()
  const { objects } = await store.listObjects({ prefix: 'media/raw/', signal })
  expect(objects.map(({ key }) => key)).toEqual(['media/raw/new.txt', 'media/raw/old.txt'])
})
