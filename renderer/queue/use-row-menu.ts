import { useCallback, useState, type MouseEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { isRowKey } from '../state/queue/list-layout.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { selectOnly } from '../state/ui/row-selection.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { keyOfLine } from './rows/row-element.ts'

/** An open menu of rows. */
export interface OpenMenu {
  readonly ids: readonly TransferId[]
  /** The position in the window, pixels. */
  readonly x: number
  readonly y: number
}

/** The open menu of rows, and functions that open and close it. */
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
    if (key === null || !isRowKey(key)) return
    event.preventDefault()
    setMenu({ ids: idsToActOn(key), x: event.clientX, y: event.clientY })
  }, [])
  return { menu, openAt, closeMenu, onContextMenu }
}

/** The menu on a selected row acts on the whole selection; on another row it first selects only that row. */
function idsToActOn(id: TransferId): readonly TransferId[] {
  if (!uiStore.getState().selection.has(id)) selectOnly(id)
  return shownSelection()
}
