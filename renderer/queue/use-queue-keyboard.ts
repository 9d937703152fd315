import type { KeyboardEvent, RefObject } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { errorContext, placeNameOf } from '../words/row-words.ts'
import { askToCancel, perform, removeRows } from '../actions/transfer-actions.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { liveRow } from '../state/queue-store.ts'
import { primaryAction } from '../state/row-actions.ts'
import { selectedFor } from '../state/selectors.ts'
import { shownStore } from '../state/shown-ids.ts'
import {
  clearSelection,
  focusRow,
  selectAll,
  selectOnly,
  selectRange,
  setSearch,
  toggleSelected,
  uiStore,
} from '../state/ui-store.ts'
import { targetIndex } from '../ui/hooks/target-index.ts'
import { rowElement } from './row-element.ts'

export const ROW_HEIGHT = 56

/** The grid's keys: rows by arrows, cells by left and right, selection with Shift, actions with Space, Return, Del. */
export function useQueueKeyboard(
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const { ids } = shownStore.getState()
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]') : null
    if (ids.length === 0 || row === null) return
    const id = row.dataset['id'] ?? ''
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
    const target = targetIndex(event.key, ids.indexOf(id), ids.length, page)
    const isOnRow = event.target === row
    const isHandled =
      target === null
        ? moveInRow(event, row) || selectByKey(event, id, ids) || (isOnRow && actByKey(event, id))
        : move(event, ids, target, scrollTo)
    if (isHandled) event.preventDefault()
  }
}

function move(
  event: KeyboardEvent,
  ids: readonly TransferId[],
  index: number,
  scrollTo: (index: number) => void,
): boolean {
  const id = ids[index]
  if (id === undefined || event.altKey) return false
  if (event.shiftKey) selectRange(id, ids)
  else if (event.ctrlKey || event.metaKey) focusRow(id)
  else selectOnly(id)
  scrollTo(index)
  // Focus follows even when the row stays the same and only a button in it had focus.
  rowElement(id)?.focus({ preventScroll: true })
  return true
}

/** Left and right walk through the row and its buttons. */
function moveInRow({ key, target }: KeyboardEvent, row: HTMLElement): boolean {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
  const stops = [row, ...row.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const next = stops[stops.findIndex((stop) => stop === target) + (key === 'ArrowRight' ? 1 : -1)]
  next?.focus({ preventScroll: true })
  return true
}

function selectByKey(event: KeyboardEvent, id: TransferId, ids: readonly TransferId[]): boolean {
  if (event.key === ' ' && (event.shiftKey || event.ctrlKey)) {
    toggleSelected(id)
  } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
    selectAll(ids)
  } else if (event.key === 'Escape') {
    if (uiStore.getState().search !== '') setSearch('')
    else clearSelection()
  } else {
    return false
  }
  return true
}

function actByKey(event: KeyboardEvent, id: TransferId): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const { selection } = uiStore.getState()
  if (!selection.has(id)) selectOnly(id)
  switch (event.key) {
    case ' ':
      // A key that is held down is one press: the second would stop what the first lets end.
      if (!event.repeat) pauseOrResume()
      return true
    case 'Enter':
      performPrimary(id)
      return true
    case 'Delete':
    case 'Backspace':
      removeSelection(event.shiftKey)
      return true
    default:
      return false
  }
}

/** Pauses what can pause; when nothing can, resumes. */
function pauseOrResume(): void {
  const pausable = selectedFor('pause')
  if (pausable.length > 0) perform('pause', pausable)
  else perform('resume', selectedFor('resume'))
}

function performPrimary(id: TransferId): void {
  const row = liveRow(id)
  if (row === undefined) return
  const place = placeById(appStore.getState(), row.placeId)
  const primary = primaryAction(row, errorContext(row, placeNameOf(row, place)))
  if (primary?.enabled) perform(primary.action, [id])
}

/** Takes finished rows off the list; unfinished ones only after a question that names what is lost. */
function removeSelection(withDiscard: boolean): void {
  const removable = selectedFor('remove')
  const cancelable = selectedFor('cancel')
  if (removable.length > 0 && !withDiscard) removeRows(removable)
  else if (cancelable.length > 0) askToCancel(cancelable)
  else removeRows(removable)
}
