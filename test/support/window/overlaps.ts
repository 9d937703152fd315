// What lies over something else in the window, or beyond its frame.

import type { Page } from 'playwright-core'
import { animationsEnded } from './animations.ts'

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

/** What doesn't fit the width of the open sheet or its parts. */
export async function sidewaysFaults(page: Page): Promise<readonly string[]> {
  await animationsEnded(page)
  return page.evaluate(() => {
    const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
    const sheets = [...document.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]')]
    const found: string[] = sheets.length === 0 ? ['no sheet'] : []
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()} “${element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)}”`
    for (const sheet of sheets) {
      for (const element of [sheet, ...sheet.querySelectorAll('*')].filter(isSeen)) {
        const { overflowX } = getComputedStyle(element)
        const isScroller = overflowX === 'auto' || overflowX === 'scroll'
        const excess = element.scrollWidth - element.clientWidth
        if (isScroller && excess > 0) found.push(`${nameOf(element)} scrolls ${String(excess)} px sideways`)
      }
      const frame = sheet.getBoundingClientRect()
      if (frame.left < 0 || frame.right > window.innerWidth) found.push('the sheet is wider than the window')
      // What is cut off instead of scrolled.
      const controls = sheet.querySelectorAll(
        'button, [role="tab"], input:not([type="radio"], [type="checkbox"]), label',
      )
      // What only screen readers find is a pixel wide.
      const isDrawn = (element: Element) =>
        isSeen(element) && element.closest('[data-react-aria-prevent-focus]') === null
      for (const control of [...controls].filter(isDrawn)) {
        const { left, right } = control.getBoundingClientRect()
        for (
          let around = control.parentElement;
          around !== null && sheet.contains(around);
          around = around.parentElement
        ) {
          if (getComputedStyle(around).overflowX === 'visible') continue
          const outer = around.getBoundingClientRect()
          if (left < outer.left - 1 || right > outer.right + 1) found.push(`${nameOf(control)} is cut off sideways`)
        }
      }
    }
    return [...new Set(found)]
  })
}

/** Steps through the focus with these keys, until it is back where it was; returns what takes it but is covered. */
export async function coveredFocus(page: Page, keys: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const key of keys) {
    const seen = new Set<string>()
    let before = (await page.evaluate(lookAtFocus)).id
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press(key)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      const { id, fault } = await page.evaluate(lookAtFocus)
      // What had the focus before the window was made small is not scrolled to, and a single button keeps it.
      if (fault !== null && id !== before) found.add(`${key}: ${fault}`)
      before = id
      if (seen.has(id)) break
      seen.add(id)
    }
    if (seen.size === 0) found.add(`${key}: nothing takes the focus`)
  }
  return [...found]
}

/** What has the focus, and what is over it; null: nothing is. */
function lookAtFocus(): { readonly id: string; readonly fault: string | null } {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return { id: 'nothing', fault: null }
  const ids = (window as unknown as { focusIds?: WeakMap<Element, string> }).focusIds ?? new WeakMap<Element, string>()
  ;(window as unknown as { focusIds: WeakMap<Element, string> }).focusIds = ids
  const id = ids.get(focused) ?? String(Math.random())
  ids.set(focused, id)
  const name = focused.getAttribute('aria-label') ?? (focused.innerText.slice(0, 40) || focused.outerHTML.slice(0, 60))
  // A check box is drawn by what is around it.
  const shown = focused.closest('label') ?? focused
  const { left, top, right, bottom } = shown.getBoundingClientRect()
  const across = (left + right) / 2
  const seen = [top + 3, (top + bottom) / 2, bottom - 3].map((y) => document.elementFromPoint(across, y))
  const cover = seen.find((over) => over !== null && !shown.contains(over) && !over.contains(shown))
  if (cover != null) return { id, fault: `“${name}” lies under “${cover.textContent.slice(0, 40)}”` }
  // The end of a long field may be scrolled away, but not all of it. What is scrolled takes no pointer for a moment.
  let [from, to] = [Math.max(0, top), Math.min(window.innerHeight, bottom)]
  for (let around = shown.parentElement; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue
    const frame = around.getBoundingClientRect()
    ;[from, to] = [Math.max(from, frame.top), Math.min(to, frame.bottom)]
  }
  if (to - from < Math.min(8, bottom - top)) return { id, fault: `“${name}” is not to be seen` }
  return { id, fault: null }
}
