import { useEffect, useRef, type RefObject } from 'react'
import { isNowhere } from './is-nowhere.ts'

/**
 * Moves keyboard focus to a row when it becomes the focused one, unless another part of the window has focus. If the
 * button that had focus in the row disappears, focus returns to the row.
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
    const isOurs = isNowhere(active) || areaOf(row)?.contains(active) === true
    if (isOurs) row.focus({ preventScroll: true })
  }, [isFocused, areaOf])
  useFocusKept(element)
  return element
}

function useFocusKept(element: RefObject<HTMLElement | null>): void {
  const isInside = useRef(false)
  useEffect(() => {
    const row = element.current
    if (row === null) return undefined
    const abort = new AbortController()
    row.addEventListener('focusin', () => void (isInside.current = true), { signal: abort.signal })
    row.addEventListener(
      'focusout',
      ({ target }) => {
        // A removed element leaves the document only once the change is complete.
        queueMicrotask(() => {
          const isTakenAway = isNowhere(document.activeElement) && !(target as Element).isConnected
          isInside.current = isTakenAway || row.contains(document.activeElement)
        })
      },
      { signal: abort.signal },
    )
    return () => abort.abort()
  }, [element])
  useEffect(() => {
    if (isInside.current && isNowhere(document.activeElement)) element.current?.focus({ preventScroll: true })
  })
}
