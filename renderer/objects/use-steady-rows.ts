import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useObjectList, type ObjectList } from '../state/objects/object-list.ts'
import type { VirtualRows } from '../ui/hooks/use-virtual-rows.ts'
import { rowsMoved } from './rows-moved.ts'
import { HEADS_HEIGHT, ROW_HEIGHT } from './use-entry-keyboard.ts'

export interface SteadyRowsOptions extends Pick<VirtualRows, 'scrolledBy' | 'scrollBy'> {
  readonly scroller: RefObject<HTMLElement | null>
  readonly focusedIndex: number
}

/**
 * Keeps in place what a person looks at while rows above it come and go: the focused row if it is in view, or else the
 * first row in view. At its top a list stays at its top. Returns how far that has scrolled it so far, pixels.
 */
export function useSteadyRows(
  list: ObjectList,
  { scroller, focusedIndex, scrolledBy, scrollBy }: SteadyRowsOptions,
): RefObject<number> {
  const shown = useObjectList(list, ({ listing }) => listing.shown)
  const order = useObjectList(list, ({ listing }) => listing.order)
  const search = useObjectList(list, ({ listing }) => listing.search)
  const location = useObjectList(list, (state) => state.location)
  const sought = useObjectList(list, (state) => state.sought)
  const last = useRef({ shown, focusedIndex, view: [order, search, location, sought] as const })
  const moved = useRef(0)
  useLayoutEffect(() => {
    const before = last.current
    const view = [order, search, location, sought] as const
    last.current = { shown, focusedIndex, view }
    // Before anything is measured, because this runs in every frame of scrolling.
    if (before.shown === shown || view.some((part, index) => part !== before.view[index])) return
    const top = scrolledBy()
    const height = (scroller.current?.clientHeight ?? 0) - HEADS_HEIGHT
    if (top === 0 || height <= 0) return
    const kept = rowsInView(top, height, before.focusedIndex)
    const pixels = rowsMoved(before.shown, shown, kept) * ROW_HEIGHT
    if (pixels === 0) return
    moved.current += pixels
    scrollBy(pixels)
  })
  return moved
}

/** The indexes of the rows in view, the focused one first. */
function rowsInView(top: number, height: number, focusedIndex: number): readonly number[] {
  const first = Math.floor(top / ROW_HEIGHT)
  const indexes = Array.from({ length: Math.ceil(height / ROW_HEIGHT) }, (_, at) => first + at)
  return indexes.includes(focusedIndex) ? [focusedIndex, ...indexes] : indexes
}
