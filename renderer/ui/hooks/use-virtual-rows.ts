import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

export interface VirtualRow {
  readonly index: number
  /** Distance from the top of the list in pixels. */
  readonly top: number
}

export interface VirtualRows {
  readonly rows: readonly VirtualRow[]
  /** Height of all rows together in pixels. */
  readonly height: number
  readonly scrollTo: (index: number) => void
  /** How far the list is scrolled, pixels: during a change of its rows, as far as before. */
  readonly scrolledBy: () => number
  /** Scrolls so that the change of its rows that is being made and the scrolling are drawn together. */
  readonly scrollBy: (pixels: number) => void
}

export interface VirtualRowsOptions {
  readonly count: number
  /** Height of every row in pixels. */
  readonly rowHeight: number
  readonly scroller: RefObject<HTMLElement | null>
  /** A row that stays in the document wherever the list is scrolled, so that focus in it survives; -1: none. */
  readonly keptIndex?: number
  /** The height in pixels of what stays above the rows in the scroller, such as the column heads. */
  readonly topInset: number
}

/** Chooses the rows of a long list that are in the document. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, rowHeight, scroller, keptIndex = -1, topInset } = options
  // eslint-disable-next-line react-hooks/incompatible-library -- this file is the one that reads its changing values
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: topInset,
    scrollPaddingStart: topInset,
    // React batches scroll updates by itself; forcing each one synchronously costs frames.
    useFlushSync: false,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      if (keptIndex < 0 || keptIndex >= count || indexes.includes(keptIndex)) return indexes
      return [...indexes, keptIndex].toSorted((left, right) => left - right)
    },
  })
  function scrolledBy(): number {
    const element = scroller.current
    if (element === null) return 0
    const { scrollTop, scrollHeight, clientHeight } = element
    // At the end, it may already be scrolled back because there are fewer rows.
    const isAtEnd = scrollTop + clientHeight >= scrollHeight
    return isAtEnd ? Math.max(scrollTop, virtualizer.scrollOffset ?? 0) : scrollTop
  }
  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - topInset })),
    height: virtualizer.getTotalSize(),
    scrollTo: (index) => {
      virtualizer.scrollToIndex(index, { align: 'auto' })
    },
    scrolledBy,
    scrollBy: (pixels) => {
      const element = scroller.current
      if (element === null) return
      element.scrollTop = scrolledBy() + pixels
      // The browser's own event would come after the rows of the old position are drawn.
      element.dispatchEvent(new Event('scroll'))
    },
  }
}
