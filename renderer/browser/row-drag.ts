// Dragging rows of the browser.

import type { DragEvent } from 'react'
import type { RowDrag } from '../objects/entry-row.tsx'
import { beginDrag, browser, draggedRows, endDrag } from '../state/browse-store.ts'
import { selectedEntries, selectOnlyEntry } from '../state/objects/selection.ts'
import { endSprings } from '../state/springs.ts'
import { showDragged } from '../ui/overlays/drag-image.ts'

/** The data type of a drag of rows. Files from the desktop come as `Files`. */
export const DRAGGED_ROWS = 'application/x-sluice-objects'

/** A row that is not selected is dragged alone. */
export const ROW_DRAG: RowDrag = {
  onStart(event: DragEvent, entry) {
    const { dataTransfer, currentTarget } = event
    const { location } = browser.store.getState()
    if (location === null) return
    if (!browser.store.getState().selection.has(entry.key)) selectOnlyEntry(browser, entry)
    const rows = { location, entries: selectedEntries(browser) }
    dataTransfer.setData(DRAGGED_ROWS, '')
    // Copied to this computer, or moved to another folder.
    dataTransfer.effectAllowed = 'copyMove'
    showDragged(event, entry.name, rows.entries.length)
    // Told to the row itself: once a folder has sprung open, the row has left the document.
    currentTarget.addEventListener('dragend', endRowDrag, { once: true })
    // Delayed, because showing an element during the event itself would end the drag.
    setTimeout(() => beginDrag(rows))
  },
}

/** Ends the drag of rows that were not dropped on a folder: those have nothing to end any more. */
export function endRowDrag(): void {
  if (draggedRows() === null) return
  endDrag()
  endSprings(false)
}
