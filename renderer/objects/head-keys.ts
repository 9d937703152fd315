// The keys of the column heads, which are part of a grid with one tab stop: the up arrow leads to them from the first line.

import type { KeyboardEvent } from 'react'
import { currentLanguage } from '../../shared/language/translate.ts'
import { keysOf } from '../ui/shortcut.ts'
import { edgeOf, moveEdge } from './column-edge.tsx'

/** The keys that make the column wider or narrower, as `aria-keyshortcuts` has them. */
export const WIDTH_KEYS = 'Shift+ArrowLeft Shift+ArrowRight'

/** Moves the focus to the heads: to that of the name. */
export function enterHeads(grid: HTMLElement | null): void {
  buttonsOf(grid)[0]?.focus()
}

/** Whether a key was pressed in the heads, where it means nothing to the lines. */
export function isInHeads(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="columnheader"]') !== null
}

/** Return and Space are left to the button that has focus, which sorts. */
export function moveInHeads(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: grid } = event
  const head = target instanceof Element ? target.closest<HTMLElement>('[role="columnheader"]') : null
  if (head === null || !go(event, grid, head)) return
  event.preventDefault()
}

function go(event: KeyboardEvent, grid: HTMLElement, head: HTMLElement): boolean {
  const buttons = buttonsOf(grid)
  const at = buttons.findIndex((button) => head.contains(button))
  const isToRight = event.key === 'ArrowRight'
  const edge = edgeOf(head)
  const isOnEdge = event.target === edge
  switch (keysOf(event)) {
    case 'Left':
    case 'Right':
      buttons[at + (isToRight === (currentLanguage().direction === 'ltr') ? 1 : -1)]?.focus()
      return true
    case 'Shift+Left':
    case 'Shift+Right':
      // A screen reader reads the width of what has focus.
      edge?.focus()
      if (edge !== null) moveEdge(edge, event.key)
      return true
    case 'Home':
      buttons[0]?.focus()
      return true
    case 'End':
      buttons.at(-1)?.focus()
      return true
    case 'Down':
    case 'Escape':
      if (isOnEdge) buttons[at]?.focus()
      else grid.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus()
      return true
    default:
      return false
  }
}

/** A narrow window has no room for some of them. */
function buttonsOf(grid: HTMLElement | null): readonly HTMLElement[] {
  const all = grid?.querySelectorAll<HTMLElement>('[role="columnheader"] button') ?? []
  return [...all].filter((button) => button.getClientRects().length > 0)
}
