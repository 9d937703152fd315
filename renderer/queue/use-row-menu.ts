import { useCallback, useState, type MouseEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { fileOfKey, isHeadKey } from '../state/queue/list-layout.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { selectOnly } from '../state/ui/row-selection.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { keyOfLine } from './rows/row-element.ts'

/** A menu of rows that is open. */
export interface OpenMenu {
  readonly ids: readonly TransferId[]
  /** Where in the window, pixels. */
  readonly x: number
  readonly y: number
}

/** Which menu of rows is open, and what opens and closes it. */
export function useRowMenu() {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const closeMenu = useCallback(() => {
    setMenu(null)
  }, [])
  const openAt = useCallback((id: TransferId, anchor: Element) => {
    const { left, bottom } = anchor.getBoundingClientRect()
    setMenu({ ids: idsToActOn(id), x: left, y: bottom })
  }, [])
  const onContextMenu = useCallback((event: MouseEvent) => {
    const key = keyOfLine(event.target)
    if (key === null || isHeadKey(key) || fileOfKey(key) !== null) return
    event.preventDefault()
    setMenu({ ids: idsToActOn(key), x: event.clientX, y: event.clientY })
  }, [])
  return { menu, openAt, closeMenu, onContextMenu }
}

/** A menu on a selected row is for the whole selection; on another row it selects that one. */
function idsToActOn(id: TransferId): readonly TransferId[] {
  if (!uiStore.getState().selection.has(id)) selectOnly(id)
  return shownSelection()
}
