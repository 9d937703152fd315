import { useEffect, useRef } from 'react'

/**
 * Moves keyboard focus to a row when it becomes the focused one, unless focus is elsewhere in the window: neither
 * nowhere nor in the area of the row.
 */
export function useFocusedRow<Row extends HTMLElement = HTMLDivElement>(
  isFocused: boolean,
  areaOf: (row: HTMLElement) => Element | null,
) {
  const element = useRef<Row>(null)
  useEffect(() => {
    const row = element.current
    const active = document.activeElement
    if (!isFocused || row === null || row.contains(active)) return
    const isOurs = active === null || active === document.body || areaOf(row)?.contains(active) === true
    if (isOurs) row.focus({ preventScroll: true })
  }, [isFocused, areaOf])
  return element
}
