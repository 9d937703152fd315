import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { resize } from '../../support/window/told-rows.ts'

/** Sets the widths of columns in each way there is, and leaves them as wide as they get. */
async function setWidths(page: Page, grid: Locator): Promise<void> {
  const widthOf = async (name: string) => (await grid.getByRole('columnheader', { name }).boundingBox())?.width
  const edgeOf = (column: string) => grid.getByRole('separator', { name: `Width of the column ${column}` })
  const edge = edgeOf('Size')
  const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {}
  await page.mouse.move(x + 5, y + 10)
  await page.mouse.down()
  await page.mouse.move(x - 35, y + 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => widthOf('Size')).toBe(128)
  await shot(page, 'browser-wide-size')
  await edge.press('ArrowRight')
  await expect.poll(() => widthOf('Size')).toBe(120)
  await edge.dblclick()
  const fitting = await edge.getAttribute('aria-valuenow')
  expect(Number(fitting)).toBeLessThan(80)
  await page.reload()
  await openStudio(page)
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(fitting)
  for (const column of ['Size', 'Modified']) {
    await edgeOf(column).press('Home')
    expect(await edgeOf(column).getAttribute('aria-valuenow')).toBe('400')
  }
}

/** The role and name of what has the keyboard focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document
    const role = activeElement?.getAttribute('role') ?? activeElement?.tagName.toLowerCase() ?? ''
    return `${role} ${activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''}`.trim()
  })
}

it('is one tab stop, from whose first line the keys lead to the heads, which sort and set widths', async () => {
  const { page, put } = await openWorld()
  for (const [name, content] of [['a.txt', 'long content'] as const, ['b.txt', 'short'] as const])
    await put(name, content)
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  const [first, size] = [row(grid, 'a.txt'), grid.getByRole('columnheader', { name: 'Size' })]
  await first.click()
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  await press('Shift+Tab', 'Tab')
  expect(await focused(page)).toBe('row a.txt')
  await press('Tab')
  expect(await grid.evaluate((element) => element.contains(document.activeElement))).toBe(false)

  await first.focus()
  await press('ArrowUp')
  expect(await focused(page)).toBe('button Name')
  await press('ArrowRight', 'Enter')
  expect(await focused(page)).toBe('button Size')
  expect(await size.getAttribute('aria-sort')).toBe('ascending')
  // Return sorted, and opened nothing.
  expect(await page.getByRole('dialog').count()).toBe(0)
  await press('Shift+ArrowLeft', 'ArrowLeft')
  expect(await focused(page)).toBe('separator Width of the column Size')
  await expect.poll(async () => (await size.boundingBox())?.width).toBe(88 + 16)
  await press('Escape')
  expect(await focused(page)).toBe('button Size')
  await press('ArrowDown')
  expect(await focused(page)).toBe('row a.txt')
  // What can't be done with a file is passed over.
  await press('Shift+F10')
  await expect.poll(() => focused(page)).toMatch(/^menuitem Preview/)
})

it('shows names whole, and every tool, however large its letters and however small the window', async () => {
  const { app, page, put } = await openWorld()
  await put('notes-of-may.txt', 'notes')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  const file = row(grid, 'notes-of-may.txt')
  await setWidths(page, grid)
  await file.click()
  const bar = page.getByRole('banner')
  for (const [width, height] of [
    [1080, 720],
    [640, 480],
  ] as const) {
    await resize({ app, page }, [width, height], 2)
    await expect
      .poll(() => file.getByRole('gridcell').first().innerText(), { message: String(width) })
      .toBe('notes-of-may.txt')
    const name = await file.locator('bdi').first().boundingBox()
    expect(name?.width, String(width)).toBeGreaterThan(90)
    const ends = await bar.locator('button:visible, :has(> input):visible').evaluateAll((parts) =>
      parts
        .map((part) => part.getBoundingClientRect())
        .toSorted((one, other) => one.left - other.left)
        .map(({ left, right }) => [left, right] as const),
    )
    ends.slice(1).forEach(([left], index) => expect(left, String(width)).toBeGreaterThanOrEqual(ends[index]?.[1] ?? 0))
    await shot(page, `browser-${String(width)}-at-200`)
  }
  // What doesn't fit is in a menu, and works from there.
  await bar.getByRole('button', { name: 'More tools' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('heading', { name: /notes-of-may/ })
    .waitFor()
})
