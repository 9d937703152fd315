import { useEffect, useRef } from 'react'
import { isNowhere } from './is-nowhere.ts'

/**
 * A sheet gives focus back to what opened it. Where that is gone (an entry of a menu) or had none (a drop), focus goes
 * to the list once no sheet is open, so that the keyboard goes on working.
 */
export function useFocusBack(isClosed: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isClosed) wasOpen.current = true
    if (!isClosed || !wasOpen.current) return
    wasOpen.current = false
    // The sheet itself gives focus back in the next frame.
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

/** Gives focus to the list, on the row that Tab leads to. */
export function focusList(options: FocusOptions = {}): void {
  const grid = document.querySelector<HTMLElement>('main :is([role="grid"], [role="treegrid"])')
  const row = grid?.querySelector<HTMLElement>('[role="row"][tabindex="0"]') ?? grid
  row?.focus(options)
}
