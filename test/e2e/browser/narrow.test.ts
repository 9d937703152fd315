import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { resize } from '../../support/window/told-rows.ts'

it('shows names whole, and every tool, however large its letters and however small the window', async () => {
  const { app, page, put } = await openWorld()
  await put('notes-of-may.txt', 'notes')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  const file = row(grid, 'notes-of-may.txt')
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
