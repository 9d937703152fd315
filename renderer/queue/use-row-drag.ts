import { useState, type DragEvent } from 'react'
import { rowName } from '../../shared/transfer/row-name.ts'
import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'
import { isFinishedFile, type TransferId, type TransferRow } from '../../shared/transfer/transfer.ts'
import { dragOut } from '../actions/drag-out.ts'
import { moveBefore } from '../actions/move-rows.ts'
import { fileOfKey, isHeadKey, isRowKey } from '../state/queue/list-layout.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { canDo } from '../state/queue/row-actions.ts'
import { idsAround, lineOf, shownGroupOf, shownStore } from '../state/shown-ids.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { showDragged } from '../ui/overlays/drag-image.ts'
import { keyOfLine } from './rows/row-element.ts'

interface Drop {
  readonly ids: readonly TransferId[]
  /** The row before which they are dropped; null: the end of the queue. */
  readonly before: TransferId | null
  /** The position of the drop, pixels from the top of the list. */
  readonly top: number
}

/** Moves queued and paused rows within their group by dragging; finished files are dragged out of the window. */
export function useRowDrag() {
  const [dragged, setDragged] = useState<readonly TransferId[]>([])
  const [drop, setDrop] = useState<Drop | null>(null)

  function end(): void {
    setDragged([])
    setDrop(null)
  }

  function take(event: DragEvent): void {
    const next = dragged.length === 0 ? null : dropAt(event, dragged)
    setDrop((before) => (before?.top === next?.top ? before : next))
    if (next !== null) event.preventDefault()
  }

  return {
    /** The position of the line that marks the drop; null: nothing is dragged over the list. */
    markTop: drop?.top ?? null,
    handlers: {
      onDragStart: (event: DragEvent) => {
        const key = keyOfLine(event.target)
        const ids = idsToDrag(key, (row) => canDo('move', row))
        if (ids.length === 0 || isSorted()) {
          event.preventDefault()
          const files = idsToDrag(key, isFinishedFile)
          if (files.length > 0) dragOut(files)
          return
        }
        event.dataTransfer.effectAllowed = 'move'
        showDragged(event, nameOf(ids[0] ?? ''), ids.length)
        setDragged(ids)
      },
      onDragEnter: take,
      onDragOver: take,
      onDrop: (event: DragEvent) => {
        if (drop === null) return
        event.preventDefault()
        moveBefore(drop.ids, drop.before)
        end()
      },
      onDragEnd: end,
    },
  }
}

function nameOf(id: TransferId): string {
  const row = liveRow(id)
  return row === undefined ? '' : rowName(row)
}

/** Whether the list is sorted by a column, so that it does not show the order of the queue. */
const isSorted = (): boolean => uiStore.getState().sort !== null

/** The row under the pointer, or the whole selection if it is selected; of these, the rows that fit. */
function idsToDrag(id: TransferId | null, fits: (row: TransferRow) => boolean): readonly TransferId[] {
  const { selection } = shownStore.getState()
  if (id === null || !isRowKey(id)) return []
  const ids = selection.has(id) ? [...selection] : [id]
  return ids.filter((each) => {
    const row = liveRow(each)
    return row !== undefined && fits(row)
  })
}

function dropAt({ target, clientY }: DragEvent, ids: readonly TransferId[]): Drop | null {
  const [first = ''] = ids
  const group = shownGroupOf(first)
  const box = target instanceof Element ? target.closest('[role="row"]')?.getBoundingClientRect() : undefined
  const id = keyOfLine(target)
  if (group === null) return null
  if (box === undefined) return belowAll(ids, group)
  if (id === null || fileOfKey(id) !== null) return null
  if (isHeadKey(id)) return onHead(id, ids, group)
  const { layout } = shownStore.getState()
  const line = layout.lineAt(lineOf(id))
  if (line?.group !== group) return null
  const isBelow = clientY > box.top + box.height / 2
  if (!isBelow) return { ids, before: id, top: line.top }
  // If the row is expanded, the drop is below its files.
  const around = idsAround([id])
  const next = around[around.indexOf(id) + 1] ?? null
  const nextLine = next === null ? null : layout.lineAt(lineOf(next))
  return { ids, before: next, top: nextLine?.top ?? line.top + line.height }
}

/** A drop at the end of the list, if the last group is that of the rows. */
function belowAll(ids: readonly TransferId[], group: TransferGroup): Drop | null {
  const { layout } = shownStore.getState()
  return layout.lineAt(layout.count - 1)?.group === group ? { ids, before: null, top: layout.height } : null
}

/** A drop on the head of the rows' group goes to its beginning, one on the next group's head to its end. */
function onHead(key: string, ids: readonly TransferId[], group: TransferGroup): Drop | null {
  const { layout } = shownStore.getState()
  const head = layout.lineAt(lineOf(key))
  const [first = null] = idsAround(ids)
  if (head?.group === group) return { ids, before: first, top: head.top + head.height }
  return head !== null && layout.lineAt(head.index - 1)?.group === group ? { ids, before: null, top: head.top } : null
}
