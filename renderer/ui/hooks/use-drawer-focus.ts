import { useLayoutEffect, useRef, type RefObject } from 'react'
import { isNowhere } from './is-nowhere.ts'

/** Moves focus into a drawer over the list, and back to where it was when the drawer closes. */
export function useDrawerFocus<Drawer extends HTMLElement>(isDrawn: boolean): RefObject<Drawer | null> {
  const element = useRef<Drawer>(null)
  // In a layout effect, before the list, which is inert beneath the drawer, loses focus.
  useLayoutEffect(() => {
    const drawer = element.current
    if (!isDrawn || drawer === null) return undefined
    const before = document.activeElement
    drawer.focus()
    return () => {
      const active = document.activeElement
      const isLost = isNowhere(active) || drawer.contains(active)
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isDrawn])
  return element
}
