import { useEffect, useState, type RefObject } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import type { Line, ListLayout } from '../state/list-layout.ts'
import { lookAtFiles } from '../state/open-folders.ts'

/** Lines this far beyond the edges are in the document, too, pixels. */
const MARGIN = 336
/** What is in the document changes only when the list was scrolled so far, pixels. */
const STEP = 112

export interface ListWindow {
  /** In order, each with a line of its own. */
  readonly lines: readonly Line[]
  readonly scrollTo: (index: number) => void
}

export interface ListWindowOptions {
  readonly layout: ListLayout
  readonly scroller: RefObject<HTMLElement | null>
  /** A line that stays in the document wherever the list is scrolled, so that focus in it survives; -1: none. */
  readonly keptIndex: number
  /** Height of the columns' heads, which cover the top of the list, pixels. */
  readonly topInset: number
}

/** The lines of the list that are worth having in the document. */
export function useListWindow({ layout, scroller, keptIndex, topInset }: ListWindowOptions): ListWindow {
  const view = useView(scroller)
  const first = layout.indexAtHeight(view.top - MARGIN)
  const last = layout.indexAtHeight(view.bottom + MARGIN)
  const indexes = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const isKept = keptIndex >= 0 && (keptIndex < first || keptIndex > last)
  const all = isKept ? [...indexes, keptIndex].toSorted((left, right) => left - right) : indexes
  const lines = all.map((index) => layout.lineAt(index)).filter((line) => line !== null)
  useEffect(() => lookAtFiles(filesIn(lines)))
  return {
    lines,
    scrollTo: (index) => {
      const [element, line] = [scroller.current, layout.lineAt(index)]
      if (element === null || line === null) return
      const lowest = line.top + line.height + topInset - element.clientHeight
      // With the first row of a group comes its head.
      const above = layout.lineAt(index - 1)
      const highest = above?.kind === 'head' ? above.top : line.top
      element.scrollTop = Math.min(highest, Math.max(element.scrollTop, lowest))
    },
  }
}

/** Numbers of the files among the lines, by their folder. */
function filesIn(lines: readonly Line[]): ReadonlyMap<TransferId, readonly number[]> {
  const found = new Map<TransferId, number[]>()
  for (const line of lines) {
    if (line.kind === 'file') found.set(line.id, [...(found.get(line.id) ?? []), line.number])
  }
  return found
}

/** What of the list is seen, in whole steps. */
function useView(scroller: RefObject<HTMLElement | null>): { readonly top: number; readonly bottom: number } {
  const [view, setView] = useState({ top: 0, bottom: 10 * STEP })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const read = (): void => {
      const top = Math.floor(element.scrollTop / STEP) * STEP
      const bottom = Math.ceil((element.scrollTop + element.clientHeight) / STEP) * STEP
      setView((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }))
    }
    read()
    element.addEventListener('scroll', read, { passive: true })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      observer.disconnect()
    }
  }, [scroller])
  return view
}
