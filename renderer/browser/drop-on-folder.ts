// Moving rows by dropping them on a folder of their bucket: on its row, on a step of the path, or, once it has sprung open
// under them, anywhere in it.

import type { DragEvent } from 'react'
import { hasAction } from '../actions/browse-actions.ts'
import { browser, draggedRows, endDrag, setDropTarget } from '../state/browse-store.ts'
import { canMoveTo, isInsideOf } from '../state/objects/location.ts'
import { holdOver, type Spring } from '../state/springs.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { markOf } from '../ui/overlays/mark-of.ts'
import { DRAGGED_ROWS } from './row-drag.ts'

/** The events of the area that contains the rows and the path. */
export const DROP_ON_FOLDER = {
  onDragEnter: take,
  onDragOver: take,
  onDragLeave({ currentTarget, relatedTarget, dataTransfer }: DragEvent): void {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (!carriesRows(dataTransfer) || isInside) return
    setDropTarget(null, null)
    holdOver(null)
  },
  /** Asks before it moves anything, as **Move to…** does: a row that is let go in passing must not move. */
  onDrop({ target, dataTransfer }: DragEvent): void {
    if (!carriesRows(dataTransfer)) return
    const rows = draggedRows()
    const to = folderAt(target)
    if (rows === null || to === null) return
    // The folder stays open until the question is answered.
    holdOver(null)
    endDrag()
    openDialog({ kind: 'move', ...rows, to })
  },
}

function take(event: DragEvent): void {
  const { dataTransfer, target } = event
  if (!carriesRows(dataTransfer)) return
  const to = folderAt(target)
  setDropTarget(to, null)
  holdOver(closedFolderAt(target))
  if (to === null) return
  event.preventDefault()
  dataTransfer.dropEffect = 'move'
}

function carriesRows({ types }: DataTransfer): boolean {
  return types.includes(DRAGGED_ROWS)
}

/** The folder under the pointer, or else the open one, if the dragged rows can be moved there; else null. */
function folderAt(under: EventTarget): string | null {
  const rows = draggedRows()
  const { location, sought } = browser.store.getState()
  if (rows === null || location === null || !hasAction('move', location)) return null
  const isElsewhere = sought !== null || markOf(under, 'zone') !== null
  const to = markOf(under, 'drop') ?? (isElsewhere ? null : location.prefix)
  return to !== null && canMoveTo(rows.entries, to) ? to : null
}

/** The folder under the pointer, if it isn't open and not one of the dragged rows. */
function closedFolderAt(under: EventTarget): Spring | null {
  const rows = draggedRows()
  const { location } = browser.store.getState()
  const prefix = markOf(under, 'drop')
  if (rows === null || location === null || prefix === null || !hasAction('move', location)) return null
  if (prefix === location.prefix || isInsideOf(rows.entries, prefix)) return null
  return { kind: 'location', ...rows.location, prefix }
}
