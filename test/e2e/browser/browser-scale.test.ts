import { EventEmitter, once } from 'node:events'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { startListingServer, startUnevenListing } from '../../support/servers/listing-server.ts'

it('stays smooth with 100,000 objects in one folder', async () => {
  const { page, proxy } = await openWorld({ endpoint: await startListingServer(100_000) })
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
  await row(grid, 'object 000000.bin').waitFor({ state: 'detached' })
  await scroll(page, -130)
  await during('marquee', () => markToTheEdge(page, grid))
  await during('sorting', async () => {
    await grid.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
    await row(grid, 'object 000000.bin').waitFor()
  })
  await during('selecting', async () => {
    await row(grid, 'object 000000.bin').press('ControlOrMeta+A')
    await page.getByText(/100,000 files · 100,000 selected/).waitFor()
  })
  const gate = new EventEmitter()
  const last = { query: { marker: 'object 098999.bin' } }
  const held = proxy.rule({ when: last, fault: { kind: 'stall', at: 'request', until: once(gate, 'open') } })
  await during('listingAgainSelected', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText(/still listing/).waitFor()
    held.remove()
    gate.emit('open')
    await page.getByText(/100,000 files · 100,000 selected/).waitFor()
  })
  await row(grid, 'object 000000.bin').press('End')
  await during('scrollingBack', () => scroll(page, -120))
  await during('filtering', async () => {
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.type('99.bin')
    await page.getByText('1,000 shown').waitFor()
  })
  expect(await grid.locator('[role="row"][data-key]').count()).toBeLessThan(100)
  process.stdout.write(`100,000 objects, milliseconds: ${JSON.stringify(facts)}\n`)
})

it('keeps in place what a person looks at while a page brings rows above it', async () => {
  const { endpoint, names } = await startUnevenListing(3000)
  const { page, proxy } = await openWorld({ endpoint })
  const grid = page.getByRole('grid', { name: 'Files' })
  const gate = new EventEmitter()
  const next = { query: { marker: names[999] ?? '' } }
  proxy.rule({ when: next, times: 1, fault: { kind: 'stall', at: 'request', until: once(gate, 'open') } })
  await openStudio(page)
  await page.getByText(/1,000 files/).waitFor()
  await scroll(page, 10)
  const before = await firstInView(page)
  expect(before.index).toBeGreaterThan(100)
  const frames = await page.evaluateHandle(watchRow, before.key)
  gate.emit('open')
  await page.getByText('3,000 files', { exact: true }).waitFor()
  const after = await firstInView(page)
  expect(after).toMatchObject({ key: before.key, top: before.top })
  // Two of three objects are in the pages that came later, and many of those above the row.
  expect(after.index).toBeGreaterThan(before.index + 100)
  expect(await frames.evaluate((seen) => [...new Set(seen)])).toEqual([before.top])
  await grid.getByRole('row', { name: before.key }).press('Home')
  await row(grid, 'object 0.bin').waitFor()
})

/** The first row in view: its number in the list, and where it is in the window. */
function firstInView(page: Page): Promise<{ key: string; index: number; top: number }> {
  return page.evaluate(() => {
    const heads = document.querySelector('[aria-label="Files"] [role="columnheader"]')?.getBoundingClientRect()
    const rows = [...document.querySelectorAll<HTMLElement>('[aria-label="Files"] [role="row"][data-key]')]
    const [first] = rows.filter((each) => each.getBoundingClientRect().bottom > (heads?.bottom ?? 0) + 8)
    return {
      key: first?.dataset['key'] ?? '',
      index: Number(first?.ariaRowIndex ?? first?.getAttribute('aria-rowindex')),
      top: first?.getBoundingClientRect().top ?? -1,
    }
  })
}

/** Where the row is in each frame from now on; -1: it is not drawn. */
function watchRow(key: string): number[] {
  const seen: number[] = []
  const note = () => {
    const row = document.querySelector(`[aria-label="Files"] [data-key="${key}"]`)
    seen.push(row?.getBoundingClientRect().top ?? -1)
    requestAnimationFrame(note)
  }
  note()
  return seen
}

/** A rectangle from beside a name, held at the lower edge, selects what scrolls in; Ctrl and another one add to it. */
async function markToTheEdge(page: Page, grid: Locator): Promise<void> {
  await grid.getByRole('row', { name: 'object 000000.bin' }).press('Home')
  const box = await grid.boundingBox()
  const [right, top, bottom] = [
    (box?.x ?? 0) + (box?.width ?? 0) - 60,
    (box?.y ?? 0) + 76,
    (box?.y ?? 0) + (box?.height ?? 0),
  ]
  await page.mouse.move(right, top)
  await page.mouse.down()
  await page.mouse.move(right - 200, bottom + 20, { steps: 4 })
  await expect.poll(() => selectedIn(page)).toBeGreaterThan(100)
  await shot(page, 'marquee')
  await page.mouse.up()
  // By then it says what the last move has selected.
  await scroll(page, 60)
  const before = await selectedIn(page)
  await page.keyboard.down('ControlOrMeta')
  await page.mouse.move(right, top + 100)
  await page.mouse.down()
  await page.mouse.move(right - 100, top + 100 + 2 * 32, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('ControlOrMeta')
  await expect.poll(() => selectedIn(page)).toBe(before + 3)
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => selectedIn(page)).toBe(4)
}

async function selectedIn(page: Page): Promise<number> {
  const text = await page.getByText(/ selected, /).textContent()
  return Number(/([\d,]+) selected/.exec(text ?? '')?.[1]?.replaceAll(',', ''))
}

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
    const scroller = document.querySelector('[aria-label="Files"] > [role="presentation"]')
    for (let frame = 0; frame < Math.abs(count); frame += 1) {
      scroller?.scrollBy(0, 900 * Math.sign(count))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, frames)
}
