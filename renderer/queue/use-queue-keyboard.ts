import type { KeyboardEvent, RefObject } from 'react'
import { currentLanguage } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { openFile } from '../actions/folder-files.ts'
import { previewFolderFile } from '../actions/preview-files.ts'
import { LIST_KEYS } from '../commands/shortcuts.ts'
import { fileOfKey, headKey, isRowKey, keyOf, LINE_HEIGHT, ROW_HEIGHT } from '../state/queue/list-layout.ts'
import { isFolderOpen, toggleFolder } from '../state/open-folders.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { lineOf, shownIds, shownStore } from '../state/shown-ids.ts'
import {
  clearSelection,
  focusRow,
  selectAll,
  selectOnly,
  selectRange,
  toggleSelected,
} from '../state/ui/row-selection.ts'
import { setSearch, showOnlyPlace, toggleGroup } from '../state/ui/list-view.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { targetIndex } from '../ui/hooks/target-index.ts'
import { holdsMod, inTable } from '../ui/shortcut.ts'
import { actByKey } from './act-by-key.ts'
import { keyOfLine, rowElement } from './rows/row-element.ts'
import { createTypeAhead } from './type-ahead.ts'

const typeAhead = createTypeAhead()

/**
 * The keys of the grid: up, down and typing move between lines, left and right between cells, Shift selects, Alt moves
 * rows; Space, Return and Del act on them.
 */
export function useQueueKeyboard(
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const key = keyOfLine(event.target)
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="row"]') : null
    if (key === null || line === null) return
    const { layout } = shownStore.getState()
    const rowHeight = uiStore.getState().isCompact ? LINE_HEIGHT : ROW_HEIGHT
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const target = event.altKey ? null : targetIndex(event.key, lineOf(key), layout.count, page)
    const isOnRow = event.target === line && isRowKey(key)
    const isHandled =
      target === null
        ? moveInLine(event, key, line, scrollTo) ||
          selectByKey(event, key) ||
          (event.target === line && actOnFile(event, key)) ||
          (isOnRow && (actByKey(event, key) || find(event, key, scrollTo)))
        : move(event, target, scrollTo)
    if (isHandled) event.preventDefault()
  }
}

function move(event: KeyboardEvent, index: number, scrollTo: (index: number) => void): boolean {
  const line = shownStore.getState().layout.lineAt(index)
  if (line === null) return false
  const key = keyOf(line)
  if (line.kind === 'head' || (holdsMod(event) && !event.shiftKey)) focusRow(key)
  else if (event.shiftKey) selectRange(line.id, shownIds())
  else selectOnly(line.id)
  // Focusing a file leaves its folder selected.
  if (line.kind === 'file') focusRow(key)
  goTo(key, scrollTo)
  return true
}

function goTo(key: TransferId, scrollTo: (index: number) => void): void {
  scrollTo(lineOf(key))
  // Moves the focus even if the row stays the same and only a button in it had focus.
  rowElement(key)?.focus({ preventScroll: true })
}

/**
 * Left and right move through the row and its buttons; on the head of a group or a folder they close and open it. In
 * right-to-left layouts they swap.
 */
function moveInLine(
  { key: pressed, target, altKey }: KeyboardEvent,
  key: TransferId,
  line: HTMLElement,
  scrollTo: (index: number) => void,
): boolean {
  if (altKey || (pressed !== 'ArrowLeft' && pressed !== 'ArrowRight')) return false
  const isBack = (pressed === 'ArrowLeft') === (currentLanguage().direction === 'ltr')
  const found = shownStore.getState().layout.lineAt(lineOf(key))
  if (found?.kind === 'head') {
    const isOpen = found.section.head?.isCollapsed !== true
    if (isOpen === isBack) toggleGroup(found.group)
    return true
  }
  const stops = [line, ...line.querySelectorAll<HTMLElement>('button:not(:disabled, [data-disclosure])')]
  const at = stops.findIndex((stop) => stop === target)
  if (at === 0 && found?.kind === 'row' && liveRow(key)?.items != null) {
    if (isFolderOpen(key) === isBack) {
      toggleFolder(key)
      return true
    }
  }
  if (at === 0 && isBack && found?.kind === 'file') {
    focusRow(found.id)
    goTo(found.id, scrollTo)
    return true
  }
  // Going back from the first cell leads to the head of the group.
  if (at === 0 && isBack && found !== null && uiStore.getState().filter === 'all') {
    focusRow(headKey(found.group))
    goTo(headKey(found.group), scrollTo)
    return true
  }
  stops[at + (isBack ? -1 : 1)]?.focus({ preventScroll: true })
  return true
}

/** On a file, Return carries out its main action and Space previews it. Other keys of transfers don't work on files. */
function actOnFile(event: KeyboardEvent, key: TransferId): boolean {
  const named = fileOfKey(key)
  if (named === null || (event.key !== 'Enter' && event.key !== ' ')) return false
  // A key that is held down counts once.
  if (event.repeat) return true
  if (event.key === 'Enter') openFile(named.id, named.number)
  else previewFolderFile(named.id, named.number)
  return true
}

function selectByKey(event: KeyboardEvent, key: TransferId): boolean {
  const does = inTable(LIST_KEYS, event.nativeEvent)
  if (does === 'toggle-selected' && isRowKey(key)) {
    if (!event.repeat) toggleSelected(key)
  } else if (does === 'select-all') {
    if (!event.repeat) selectAll(shownIds())
  } else if (does === 'clear') {
    if (event.repeat) return true
    const { search, onlyPlaceId, selection } = uiStore.getState()
    if (search !== '') setSearch('')
    else if (selection.size > 0 || onlyPlaceId === null) clearSelection()
    else showOnlyPlace(null)
  } else {
    return false
  }
  return true
}

/** Goes to the next row whose name begins with what was typed. */
function find(event: KeyboardEvent, key: TransferId, scrollTo: (index: number) => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || [...event.key].length !== 1) return false
  const id = typeAhead(event, shownIds(), key)
  if (id === null) return false
  selectOnly(id)
  goTo(id, scrollTo)
  return true
}
