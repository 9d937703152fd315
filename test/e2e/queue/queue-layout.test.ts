import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { transferError, everyState } from '../../support/fakes/every-state.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { shot } from '../../support/window/desk-window.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const SIZES: readonly (readonly [readonly [number, number], number])[] = [
  [[1080, 720], 1],
  [[800, 600], 1],
  [[640, 480], 1],
  [[1920, 1080], 1],
  [[1080, 720], 1.5],
  [[1080, 720], 2],
  [[640, 480], 2],
]

async function openWindow() {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  return sluice
}

/** What lies over each other, or beyond its row, in the rows of the list; what scrolls sideways. */
function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = document.querySelectorAll('[role="row"][data-id]').length > 3 ? [] : ['no rows']
    const isSeen = (element: Element): boolean => element.getClientRects().length > 0
    for (const row of document.querySelectorAll('[role="row"][data-id]')) {
      const name = row.getAttribute('aria-label') ?? row.textContent
      const outer = row.getBoundingClientRect()
      const cells = [...row.querySelectorAll('[role="gridcell"]')].filter(isSeen)
      const lines = [...row.querySelectorAll('button')].filter(isSeen)
      for (const each of [...cells, ...lines]) {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        const isInside =
          left >= outer.left - 1 && right <= outer.right + 1 && top >= outer.top - 1 && bottom <= outer.bottom + 1
        if (!isInside) found.push(`${name}: ${each.textContent} is beyond its row`)
      }
      cells.slice(1).forEach((cell, index) => {
        const before = cells[index]?.getBoundingClientRect()
        if (before !== undefined && before.right > cell.getBoundingClientRect().left + 0.5) {
          found.push(`${name}: cells ${String(index)} and ${String(index + 1)}`)
        }
      })
      const main = cells[0]?.getBoundingClientRect()
      for (const button of lines) {
        const box = button.getBoundingClientRect()
        if (main !== undefined && button.closest('[role="gridcell"]') !== cells[0] && box.left < main.right - 0.5) {
          found.push(`${name}: a button lies over the words`)
        }
      }
      const middleOf = (element: Element | null): number => {
        const { top, bottom } = element?.getBoundingClientRect() ?? row.getBoundingClientRect()
        return (top + bottom) / 2
      }
      const [shown, words] = [row.querySelector('bdi'), row.querySelector('[role="gridcell"] span[title]')]
      if (outer.height < 40 && words !== null && Math.abs(middleOf(shown) - middleOf(words)) > 3) {
        found.push(`${name}: its words are not in one line`)
      }
      // Text of its own box only: words that wrapped below what is seen.
      const inner = row.querySelector('[role="gridcell"]')
      if (inner !== null && inner.scrollHeight > outer.height + 1) found.push(`${name}: higher than its row`)
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${String(scrollWidth - clientWidth)} px too wide`)
    for (const bar of document.querySelectorAll('header, footer')) {
      const { right } = bar.getBoundingClientRect()
      for (const button of bar.querySelectorAll('button')) {
        if (isSeen(button) && button.getBoundingClientRect().right > right + 0.5)
          found.push(`${button.textContent} is cut`)
      }
    }
    return found
  })
}

it('lays nothing over each other in any state, at any width and zoom', { timeout: 240_000 }, async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  for (const [size, zoom] of SIZES) {
    await resize(sluice, size, zoom)
    // The first states are at the top, the others at the bottom.
    await page
      .locator('[role="treegrid"] > div')
      .first()
      .evaluate((list) => list.scrollTo(0, 0))
    await page.mouse.move(0, 0)
    const name = `queue-${String(size[0])}x${String(size[1])}-${String(zoom * 100)}`
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `${name}-${colorScheme}`)
    }
    expect(await overlaps(page), name).toEqual([])
  }
})

it('keeps the sidebar and the inspector of a narrow window at hand', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  await tellRows(sluice, everyState())
  await resize(sluice, [640, 480])
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  expect(await sidebar.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Sidebar' }).click()
  await sidebar.getByRole('button', { name: /^Paused/ }).click()
  await sidebar.waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: 'paused.mov' }).click()
  await page.getByRole('button', { name: 'Inspector' }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('heading', { name: 'paused.mov' }).waitFor()
  await shot(page, 'queue-inspector-drawer')
  await page.keyboard.press('Escape')
  await inspector.waitFor({ state: 'hidden' })
  // What doesn't fit in the toolbar is in its menu.
  await page.getByRole('button', { name: 'More tools' }).click()
  await page.getByRole('menuitem', { name: 'Resume all' }).waitFor()
})

it('shows names as they are written, and shortens them in the middle', async () => {
  const sluice = await openWindow()
  const { page } = sluice
  const arabic = 'تقرير الأداء السنوي.pdf'
  const family = '👨‍👩‍👧‍👦.mp4'
  const long = `Interview ${'with everyone who was there '.repeat(8)}take 2.final.mov`
  const [base] = everyState()
  if (base === undefined) throw new Error('No state.')
  const error = transferError('source-missing')
  await tellRows(
    sluice,
    [arabic, family, long].map((name, at) => ({ ...base, id: `name-${String(at)}`, name, status: 'paused', error })),
  )
  const shown = (name: string) => page.getByRole('row', { name, exact: true }).locator('bdi').textContent()
  expect(await shown(arabic)).toBe(arabic)
  expect(await shown(family)).toBe(family)
  await expect.poll(() => shown(long)).toMatch(/^Interview .*….*al\.mov$/)
  await shot(page, 'queue-names')
})
