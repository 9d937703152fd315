import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { startListingServer } from '../../support/servers/listing-server.ts'

it('stays smooth with 100,000 objects in one folder', { timeout: 120_000 }, async () => {
  const { page } = await openWorld({ endpoint: await startListingServer(100_000) })
  const grid = page.getByRole('grid', { name: 'Files' })
  const facts: Record<string, unknown> = {}
  const during = async (name: string, work: () => Promise<unknown>) => {
    facts[name] = await framesDuring(page, work)
  }
  await during('listing', async () => {
    await openStudio(page)
    await row(grid, 'object 000000.bin').waitFor()
    await page.getByText('100,000 files', { exact: true }).waitFor()
  })
  await during('scrolling', () => scroll(page, 120))
  await during('sorting', async () => {
    await grid.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
    await row(grid, 'object 000000.bin').waitFor()
  })
  await during('selecting', async () => {
    await row(grid, 'object 000000.bin').press('Control+A')
    await page.getByText(/100,000 files · 100,000 selected/).waitFor()
  })
  await during('listingAgainSelected', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText(/still listing/).waitFor()
    await page.getByText(/100,000 files · 100,000 selected/).waitFor()
  })
  await row(grid, 'object 000000.bin').press('End')
  await during('scrollingBack', () => scroll(page, -120))
  await during('filtering', async () => {
    await page.keyboard.press('Control+F')
    await page.keyboard.type('99.bin')
    await page.getByText('1,000 shown').waitFor()
  })
  expect(await grid.locator('[role="row"][data-key]').count()).toBeLessThan(100)
  process.stdout.write(`100,000 objects, milliseconds: ${JSON.stringify(facts)}\n`)
})

interface Frames {
  readonly allMs: number
  readonly longestMs: number
  readonly medianMs: number
}

/** The times between two frames of the window while something is done. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  const watch = await page.evaluateHandle(() => {
    const times: number[] = []
    let last = performance.now()
    const note = (now: number) => {
      times.push(now - last)
      last = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    return times
  })
  const begun = performance.now()
  await work()
  const allMs = Math.round(performance.now() - begun)
  const times = (await watch.jsonValue()).toSorted((one, other) => one - other)
  return { allMs, longestMs: Math.round(times.at(-1) ?? 0), medianMs: Math.round(times[times.length >> 1] ?? 0) }
}

/** Through the list, a screen and more a frame; up where the number of frames is negative. */
function scroll(page: Page, frames: number): Promise<void> {
  return page.evaluate(async (count) => {
    const scroller = document.querySelector('[aria-label="Objects"] [role="rowgroup"]')
    for (let frame = 0; frame < Math.abs(count); frame += 1) {
      scroller?.scrollBy(0, 900 * Math.sign(count))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, frames)
}
