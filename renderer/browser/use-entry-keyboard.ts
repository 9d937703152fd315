import { useRef, type KeyboardEvent, type RefObject } from 'react'
import { performOn } from '../actions/browse-actions.ts'
import { browseStore, endSearch, goUp, setObjectSearch } from '../state/browse-store.ts'
import {
  clearEntrySelection,
  focusEntry,
  selectAllEntries,
  selectEntriesTo,
  selectOnlyEntry,
  toggleEntry,
} from '../state/browse-selection.ts'
import type { Entry } from '../state/listing.ts'
import { targetIndex } from '../ui/hooks/target-index.ts'

/** Height of a line, pixels. */
export const ROW_HEIGHT = 32
/** What is typed within this time of each other is one beginning of a name. */
const TYPE_AHEAD_MS = 800

/** The browser's keys: rows by arrows and by typing, Return opens, Backspace goes up, selection with Shift and Ctrl. */
export function useEntryKeyboard(
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef({ text: '', atMs: 0 })

  function typeAhead({ key, timeStamp }: KeyboardEvent, shown: readonly Entry[], index: number): number | null {
    const { text, atMs } = typed.current
    const isGoingOn = timeStamp - atMs < TYPE_AHEAD_MS
    if (key.length !== 1 || (key === ' ' && !(isGoingOn && text !== ''))) return null
    typed.current = { text: (isGoingOn ? text : '') + key.toLocaleLowerCase(), atMs: timeStamp }
    return indexStartingWith(shown, typed.current.text, index)
  }

  return (event) => {
    const { listing, focusedKey } = browseStore.getState()
    const { shown } = listing
    const isCommand = event.ctrlKey || event.metaKey
    const index = Math.max(
      0,
      shown.findIndex(({ key }) => key === focusedKey),
    )
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
    const led = targetIndex(event.key, index, shown.length, page)
    const target = led ?? (isCommand || event.altKey ? null : typeAhead(event, shown, index))
    const entry = target === null ? undefined : shown[target]
    if (target !== null && entry !== undefined && !event.altKey) {
      moveTo(event, entry, led !== null)
      scrollTo(target)
      event.preventDefault()
    } else if (select(event, shown[index]) || act(event, shown[index])) {
      event.preventDefault()
    }
  }
}

/**
 * The first name from `index` on, round the end, that begins with a text; a single letter goes on to the next. Pure.
 */
export function indexStartingWith(shown: readonly Entry[], text: string, index: number): number | null {
  const start = text.length === 1 ? index + 1 : index
  for (let step = 0; step < shown.length; step += 1) {
    const at = (start + step) % shown.length
    if (shown[at]?.name.toLocaleLowerCase().startsWith(text) === true) return at
  }
  return null
}

function moveTo(event: KeyboardEvent, { key }: Entry, isArrow: boolean): void {
  if (event.shiftKey && isArrow) selectEntriesTo(key)
  else if (event.ctrlKey || event.metaKey) focusEntry(key)
  else selectOnlyEntry(key)
}

function select(event: KeyboardEvent, focused: Entry | undefined): boolean {
  const isCommand = event.ctrlKey || event.metaKey
  if (event.key === ' ' && focused !== undefined) toggleEntry(focused.key)
  else if (event.key.toLowerCase() === 'a' && isCommand) selectAllEntries()
  else if (event.key !== 'Escape') return false
  else if (browseStore.getState().listing.search === '') clearSearchOrSelection()
  else setObjectSearch('')
  return true
}

function clearSearchOrSelection(): void {
  const { selection, sought } = browseStore.getState()
  if (selection.size > 0 || sought === null) clearEntrySelection()
  else endSearch()
}

function act(event: KeyboardEvent, focused: Entry | undefined): boolean {
  if (event.key === 'Backspace' || (event.key === 'ArrowUp' && event.altKey)) {
    goUp()
    return true
  }
  if (focused === undefined || event.ctrlKey || event.metaKey) return false
  if (event.key !== 'Enter' && event.key !== 'Delete') return false
  if (!browseStore.getState().selection.has(focused.key)) selectOnlyEntry(focused.key)
  if (event.key === 'Delete') performOn('delete')
  else if (event.altKey) performOn('properties', [focused])
  else if (focused.kind === 'object') performOn('download')
  else performOn('open', [focused])
  return true
}
