import { useEffect, useMemo, useState, type RefObject } from 'react'
import type { Column } from '../../shared/transfer/queue-view.ts'
import { noteListWidth } from '../state/ui/list-view.ts'
import { useUi } from '../state/selectors.ts'
import { columnsFor } from './rows/columns.ts'

/** The chosen columns that the list has room for, updated when its width changes. */
export function useColumns(scroller: RefObject<HTMLElement | null>): readonly Column[] {
  const chosen = useUi((state) => state.columns)
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => {
      setWidthPx(element.clientWidth)
      noteListWidth(element.offsetWidth)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [scroller])
  const shown = columnsFor(chosen, widthPx)
  const key = shown.join(' ')
  // The same array while the columns stay the same, so that rows are not redrawn for every pixel.
  return useMemo(() => (key === '' ? [] : (key.split(' ') as Column[])), [key])
}
