import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/**
 * How many children of a bar, of those marked `data-fits`, fit beside each other with the element for the rest
 * (`data-rest`). At first all of them are in the document, to be measured.
 */
export function useFitting(bar: RefObject<HTMLElement | null>, count: number): number {
  const [fitting, setFitting] = useState(count)
  const widths = useRef<number[]>([])
  useLayoutEffect(() => {
    const element = bar.current
    if (element === null) return undefined
    const measure = (): void => {
      const items = [...element.querySelectorAll<HTMLElement>('[data-fits]')]
      items.forEach((item, index) => {
        if (item.offsetWidth > 0) widths.current[index] = item.offsetWidth
      })
      const gap = Number.parseFloat(getComputedStyle(element).columnGap) || 0
      setFitting(fittingCount(widths.current.slice(0, items.length), element.clientWidth, gap, REST_PX))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const item of element.querySelectorAll('[data-fits]')) observer.observe(item)
    return () => observer.disconnect()
  }, [bar, count])
  return Math.min(fitting, count)
}

/** The width of the element for the rest, pixels. */
const REST_PX = 28

/** How many of the first items fit into `room`, followed by `rest` unless all of them fit. In pixels. Pure. */
export function fittingCount(widths: readonly number[], room: number, gap: number, rest: number): number {
  let used = 0
  const ends = widths.map((width, index) => (used += width + (index > 0 ? gap : 0)))
  if ((ends.at(-1) ?? 0) <= room) return widths.length
  return ends.filter((end) => end + gap + rest <= room).length
}
