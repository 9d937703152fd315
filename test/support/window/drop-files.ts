import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { makeHollowFile } from '../tools/random-file.ts'
import { reads, transferRow } from './desk-window.ts'

/** At its limit it is under way for most of a minute, and the first of its parts for little more than a second. */
const FILM_BYTES = 200_000_000
const LIMIT_BYTES_PER_SECOND = 4_000_000

/**
 * Drops real files on a point of the window, else its middle, as the desktop would: the page sees trusted drag events.
 */
export async function dropFiles(
  page: Page,
  paths: readonly string[],
  at?: { readonly x: number; readonly y: number },
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { x, y } = at ?? (await page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 })))
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  }
  await session.detach()
}

/** Makes `film.mov` and drops it on the window. @returns its row, once the first part has arrived. */
export async function uploadSlowly(page: Page, folder: string): Promise<Locator> {
  await page.evaluate(
    (limitBytesPerSecond) => window.sluice.invoke('settings:set', { limitBytesPerSecond }),
    LIMIT_BYTES_PER_SECOND,
  )
  const path = join(folder, 'film.mov')
  await makeHollowFile(path, FILM_BYTES)
  await dropFiles(page, [path])
  const row = transferRow(page, 'film.mov')
  await reads(row, /[1-9][\d.]* of 200 MB/)
  return row
}

/** From now on: what the words beside the pointer say while rows are dragged, drag by drag. */
export async function watchDragImages(page: Page): Promise<() => Promise<readonly (string | null)[]>> {
  const images = await page.evaluateHandle(() => {
    const seen: (string | null)[] = []
    const set = DataTransfer.prototype.setDragImage
    DataTransfer.prototype.setDragImage = function (image, x, y) {
      seen.push(image.textContent)
      set.call(this, image, x, y)
    }
    return seen
  })
  return () => images.jsonValue()
}
