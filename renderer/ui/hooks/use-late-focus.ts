import { useEffect, useRef, type RefObject } from 'react'

/**
 * Gives focus to a control of a sheet, once, as soon as the control can take it: it may be disabled while the sheet
 * opens. If the person has moved focus elsewhere by then, it stays there.
 */
export function useLateFocus<Control extends HTMLElement>(isReady: boolean): RefObject<Control | null> {
  const control = useRef<Control>(null)
  const isDone = useRef(false)
  useEffect(() => {
    if (!isReady || isDone.current) return
    isDone.current = true
    const active = document.activeElement
    if (active === document.body || active?.matches('[role="dialog"]') === true) control.current?.focus()
  }, [isReady])
  return control
}
