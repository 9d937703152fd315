import type { Page } from 'playwright-core'

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
