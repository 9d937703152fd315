import { useEffect, useState, type RefObject } from 'react'

/** Whether the pointer is over an element, or the focus is in it. */
export function useAttended(element: RefObject<HTMLElement | null>): boolean {
  const [isUnderPointer, setUnderPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  useEffect(() => {
    const abort = new AbortController()
    const follow = (event: string, act: () => void): void =>
      element.current?.addEventListener(event, act, { signal: abort.signal, passive: true })
    follow('pointerenter', () => setUnderPointer(true))
    follow('pointerleave', () => setUnderPointer(false))
    follow('focusin', () => setFocus(true))
    follow('focusout', () => setFocus(false))
    return () => abort.abort()
  }, [element])
  return isUnderPointer || hasFocus
}
