// Moving rows by dropping them on a folder of their bucket: on its row, or on a step of the path.

import type { DragEvent } from 'react'
import { hasAction } from '../actions/browse-actions.ts'
import { browser, setDropTarget } from '../state/browse-store.ts'
import { canMoveTo } from '../state/objects/location.ts'
import { selectedEntries } from '../state/objects/selection.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { markOf } from '../ui/overlays/mark-of.ts'
import { DRAGGED_ROWS } from './row-drag.ts'

/** The events of the area that contains the rows and the path. */
export const DROP_ON_FOLDER = {
  onDragEnter: take,
  onDragOver: take,
  onDragLeave({ currentTarget, relatedTarget, dataTransfer }: DragEvent): void {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (carriesRows(dataTransfer) && !isInside) setDropTarget(null, null)
  },
  /** Asks before it moves anything, as **Move to…** does: a row that is let go in passing must not move. */
  onDrop({ target, dataTransfer }: DragEvent): void {
    if (!carriesRows(dataTransfer)) return
    const { location } = browser.store.getState()
    const to = folderAt(target)
    setDropTarget(null, null)
    if (location === null || to === null) return
    openDialog({ kind: 'move', location, entries: selectedEntries(browser), to })
  },
}

function take(event: DragEvent): void {
  const { dataTransfer, target } = event
  if (!carriesRows(dataTransfer)) return
  const to = folderAt(target)
  setDropTarget(to, null)
  if (to === null) return
  event.preventDefault()
  dataTransfer.dropEffect = 'move'
}

function carriesRows({ types }: DataTransfer): boolean {
  return types.includes(DRAGGED_ROWS)
}

/** The folder under the pointer, if the dragged rows can be moved there; else null. */
function folderAt(under: EventTarget): string | null {
  const { location } = browser.store.getState()
  const to = markOf(under, 'drop')
  if (to === null || location === null || !hasAction('move', location)) return null
  return canMoveTo(selectedEntries(browser), to) ? to : null
}
