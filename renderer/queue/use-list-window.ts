import { useEffect, useRef, useState, type RefObject } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import type { Line, ListLayout } from '../state/queue/list-layout.ts'
import { lookAtFiles } from '../state/open-folders.ts'
import { placeAt, scrolled, TOP, type ScrollPlace } from './tall-list.ts'

/** Lines this far beyond the edges are also in the document, pixels. */
const MARGIN = 336
/** How far the list must be scrolled before the lines in the document change, pixels. */
const STEP = 112

export interface ListWindow {
  /** The lines in the document, in order. */
  readonly lines: readonly Line[]
  /** How much higher than their real position lines are drawn, pixels. */
  readonly shift: number
  readonly scrollTo: (index: number) => void
  /** How far the list is scrolled, pixels. */
  readonly scrolledBy: () => number
}

export interface ListWindowOptions {
  readonly layout: ListLayout
  readonly scroller: RefObject<HTMLElement | null>
  /** A line that stays in the document wherever the list is scrolled, so that focus in it survives; -1: none. */
  readonly keptIndex: number
  /** The height of the column heads, which cover the top of the list, pixels. */
  readonly topInset: number
}

/** Chooses the lines of the list that are in the document. */
export function useListWindow({ layout, scroller, keptIndex, topInset }: ListWindowOptions): ListWindow {
  const { view, place, go } = useView(scroller, layout.height + topInset)
  const first = layout.indexAtHeight(view.top - MARGIN)
  const last = layout.indexAtHeight(view.bottom + MARGIN)
  const indexes = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const isKept = keptIndex >= 0 && (keptIndex < first || keptIndex > last)
  const all = isKept ? [...indexes, keptIndex].toSorted((left, right) => left - right) : indexes
  const lines = all.map((index) => layout.lineAt(index)).filter((line) => line !== null)
  useEffect(() => lookAtFiles(filesIn(lines)))
  return {
    lines,
    shift: view.shift,
    scrolledBy: () => (scroller.current?.scrollTop ?? 0) + place.current.shift - topInset,
    scrollTo: (index) => {
      const [element, line] = [scroller.current, layout.lineAt(index)]
      if (element === null || line === null) return
      const lowest = line.top + line.height + topInset - element.clientHeight
      // For the first row of a group, scroll its head into view as well.
      const above = layout.lineAt(index - 1)
      const highest = above?.kind === 'head' ? above.top : line.top
      const { scrollTop, shift } = place.current
      const top = Math.min(highest, Math.max(scrollTop + shift, lowest))
      if (top !== scrollTop + shift) go(top)
    },
  }
}

/** The numbers of the files among the lines, by folder. */
function filesIn(lines: readonly Line[]): ReadonlyMap<TransferId, readonly number[]> {
  const found = new Map<TransferId, number[]>()
  for (const line of lines) {
    if (line.kind === 'file') found.set(line.id, [...(found.get(line.id) ?? []), line.number])
  }
  return found
}

/** The visible part of the list, in whole steps; where it is scrolled to, and a function that scrolls it. */
function useView(scroller: RefObject<HTMLElement | null>, listHeight: number) {
  const [view, setView] = useState({ top: 0, bottom: 10 * STEP, shift: 0 })
  const place = useRef(TOP)

  function show(element: HTMLElement, next: ScrollPlace): void {
    place.current = next
    if (element.scrollTop !== next.scrollTop) element.scrollTop = next.scrollTop
    const { scrollTop, shift } = next
    const top = Math.floor((scrollTop + shift) / STEP) * STEP
    const bottom = Math.ceil((scrollTop + shift + element.clientHeight) / STEP) * STEP
    setView((before) =>
      before.top === top && before.bottom === bottom && before.shift === shift ? before : { top, bottom, shift },
    )
  }

  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const read = (): void => {
      const heights = { list: listHeight, view: element.clientHeight }
      show(element, scrolled(place.current, element.scrollTop, heights))
    }
    read()
    element.addEventListener('scroll', read, { passive: true })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      observer.disconnect()
    }
  }, [scroller, listHeight])

  function go(top: number): void {
    const element = scroller.current
    if (element !== null) show(element, placeAt(top, { list: listHeight, view: element.clientHeight }))
  }

  return { view, place, go }
}
