// Dragging rows of the browser.

import type { DragEvent } from 'react'
import type { RowDrag } from '../objects/entry-row.tsx'
import { browser, setDragging, setDropTarget } from '../state/browse-store.ts'
import { selectOnlyEntry } from '../state/objects/selection.ts'
import { showDragged } from '../ui/overlays/drag-image.ts'

/** The data type of a drag of rows. Files from the desktop come as `Files`. */
export const DRAGGED_ROWS = 'application/x-sluice-objects'

/** A row that is not selected is dragged alone. */
export const ROW_DRAG: RowDrag = {
  onStart(event: DragEvent, entry) {
    const { dataTransfer } = event
    if (!browser.store.getState().selection.has(entry.key)) selectOnlyEntry(browser, entry)
    dataTransfer.setData(DRAGGED_ROWS, '')
    // Copied to this computer, or moved to another folder.
    dataTransfer.effectAllowed = 'copyMove'
    showDragged(event, entry.name, browser.store.getState().selection.size)
    // Delayed, because showing an element during the event itself would end the drag.
    setTimeout(() => setDragging(true))
  },
  onEnd() {
    setDragging(false)
    setDropTarget(null, null)
  },
}
