// What lies over something else in the window, or beyond its frame.

import type { Page } from 'playwright-core'

/** What lies over each other, or beyond its row, in the rows of the list; what scrolls sideways. */
export function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = document.querySelectorAll('[role="row"][data-id]').length > 3 ? [] : ['no rows']
    // From where lines start to where they end, in pixels from there.
    const reach = (element: Element): { readonly start: number; readonly end: number } => {
      const { left, right } = element.getBoundingClientRect()
      return document.documentElement.dir === 'rtl' ? { start: -right, end: -left } : { start: left, end: right }
    }
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
        const before = cells[index]
        if (before !== undefined && reach(before).end > reach(cell).start + 0.5) {
          found.push(`${name}: cells ${String(index)} and ${String(index + 1)}`)
        }
      })
      // The first cell of a tall row has no box of its own: its words are below the buttons.
      const main = cells.find((cell) => cell.ariaColIndex === '1')
      for (const button of lines) {
        const isOutside = main !== undefined && !main.contains(button)
        if (isOutside && reach(button).start < reach(main).end - 0.5) {
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
      const { end } = reach(bar)
      for (const button of bar.querySelectorAll('button')) {
        if (isSeen(button) && reach(button).end > end + 0.5) found.push(`${button.textContent} is cut`)
      }
      const tools = [...bar.querySelectorAll('button, :has(> input)')].filter(isSeen)
      tools.slice(1).forEach((tool, index) => {
        const before = tools[index]
        if (before !== undefined && reach(before).end > reach(tool).start + 0.5) found.push('tools lie over each other')
      })
    }
    return found
  })
}

/** Buttons, by name, around which the ring of the focus is cut off by what they are in. */
export async function cutRings(page: Page, buttons: string): Promise<readonly string[]> {
  // The ring is for those who use the keyboard.
  await page.keyboard.press('Shift')
  return page.evaluate((selector) => {
    const found: string[] = []
    const seen = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (each) => each.getClientRects().length > 0,
    )
    for (const button of seen) {
      button.focus()
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button)
      const name = button.getAttribute('aria-label') ?? button.innerText
      if (outlineStyle === 'none') found.push(`${name}: has no ring`)
      const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset)
      const { left, right, top, bottom } = button.getBoundingClientRect()
      for (let around = button.parentElement; around !== null; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around)
        const frame = around.getBoundingClientRect()
        const isWide = overflowX !== 'visible' && (left - reach < frame.left || right + reach > frame.right)
        const isHigh = overflowY !== 'visible' && (top - reach < frame.top || bottom + reach > frame.bottom)
        if (isWide || isHigh) found.push(`${name}: its ring is cut`)
      }
    }
    return seen.length === 0 ? ['no buttons'] : found
  }, buttons)
}
