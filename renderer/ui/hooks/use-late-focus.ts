import { useEffect, useRef, type RefObject } from 'react'

/**
 * Gives focus to the control of a sheet that is to have it as soon as it can, once: what is disabled while the sheet
 * opens can't take it. Focus that a person has put elsewhere by then stays there.
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
