import { useEffect, useRef } from 'react'
import { isNowhere } from './is-nowhere.ts'

/**
 * A sheet returns focus to the element that opened it. If that is gone (a menu item) or there was none (a drop), this
 * moves focus to the list once no sheet is open, so that the keyboard keeps working.
 */
export function useFocusBack(isClosed: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isClosed) wasOpen.current = true
    if (!isClosed || !wasOpen.current) return
    wasOpen.current = false
    // The sheet itself returns focus in the next frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (isNowhere(document.activeElement)) focusList({ preventScroll: true })
      })
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [isClosed])
}

/** Gives focus to the list, on the row that is its tab stop. */
export function focusList(options: FocusOptions = {}): void {
  const grid = document.querySelector<HTMLElement>('main :is([role="grid"], [role="treegrid"])')
  const row = grid?.querySelector<HTMLElement>('[role="row"][tabindex="0"]') ?? grid
  row?.focus(options)
}
