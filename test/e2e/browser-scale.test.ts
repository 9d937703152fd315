import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../support/browser-world.ts'
import { startListingServer } from '../support/listing-server.ts'

it('stays smooth with 100,000 objects in one folder', { timeout: 120_000 }, async () => {
  const endpoint = await startListingServer(100_000)
  const { page } = await openWorld({ endpoint })
  const begun = performance.now()
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Objects' })
  await row(grid, 'object 000000.bin').waitFor()
  const firstMs = performance.now() - begun
  await page.getByText('100,000 objects', { exact: true }).waitFor()
  const allMs = performance.now() - begun
  const scrolling = await longestFrame(page, 120)
  await grid.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await row(grid, 'object 000000.bin').waitFor()
  await row(grid, 'object 000000.bin').press('Control+A')
  await page.getByText(/100,000 selected/).waitFor()
  await page.keyboard.press('Control+F')
  await page.keyboard.type('99.bin')
  await page.getByText('1,000 shown').waitFor()
  expect(await grid.locator('[role="row"][data-key]').count()).toBeLessThan(100)
  const facts = { firstMs: Math.round(firstMs), allMs: Math.round(allMs), scrolling }
  process.stdout.write(`100,000 objects: ${JSON.stringify(facts)}\n`)
})

/** Scrolls through the list, a screen and more a frame. @returns the longest time between two frames, and the median. */
function longestFrame(page: Page, frames: number): Promise<{ readonly longestMs: number; readonly medianMs: number }> {
  return page.evaluate(async (count) => {
    const scroller = document.querySelector('[aria-label="Objects"] [role="rowgroup"]')
    const times: number[] = []
    let last = performance.now()
    for (let frame = 0; frame < count; frame += 1) {
      scroller?.scrollBy(0, 900)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    times.sort((one, other) => one - other)
    return { longestMs: Math.round(times.at(-1) ?? 0), medianMs: Math.round(times[count >> 1] ?? 0) }
  }, frames)
}
