import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { Entry } from '../state/objects/listing.ts'
import { goUp, type ObjectList } from '../state/objects/object-list.ts'
import { focusEntry, moveToEntry, selectAllEntries, selectEntriesTo, toggleEntry } from '../state/objects/selection.ts'
import { targetIndex } from '../ui/hooks/target-index.ts'
import { createTypedWord } from '../ui/hooks/typed-word.ts'

/** The height of a line, and of the column heads above the lines, pixels. */
export const ROW_HEIGHT = 32
export const HEADS_HEIGHT = 28

export interface EntryKeyboardOptions {
  readonly scroller: RefObject<HTMLElement | null>
  readonly scrollTo: (index: number) => void
  /** Called on Return on a line. */
  readonly onOpen: (entry: Entry) => void
  /** Called for keys that don't lead to another line; returns whether the key did something. */
  readonly onKey?: ((event: KeyboardEvent, focused: Entry | undefined) => boolean) | undefined
}

/** The keys of a list: arrows and typing move, Return opens, Backspace goes up, Shift and Ctrl select. */
export function useEntryKeyboard(
  list: ObjectList,
  { scroller, scrollTo, onOpen, onKey = () => false }: EntryKeyboardOptions,
): (event: KeyboardEvent<HTMLElement>) => void {
  const [word] = useState(createTypedWord)

  function typeAhead(pressed: KeyboardEvent, shown: readonly Entry[], index: number): number | null {
    if (pressed.key.length !== 1 || (pressed.key === ' ' && !word.goesOn(pressed))) return null
    return indexStartingWith(shown, word.add(pressed), index)
  }

  return (event) => {
    const { listing, focusedKey } = list.store.getState()
    const { shown } = listing
    const isCommand = event.ctrlKey || event.metaKey
    const index = Math.max(
      0,
      shown.findIndex(({ key }) => key === focusedKey),
    )
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEADS_HEIGHT) / ROW_HEIGHT) - 1)
    const led = targetIndex(event.key, index, shown.length, page)
    const target = led ?? (isCommand || event.altKey ? null : typeAhead(event, shown, index))
    const entry = target === null ? undefined : shown[target]
    if (target !== null && entry !== undefined && !event.altKey) {
      moveTo(list, event, entry, led !== null)
      scrollTo(target)
      event.preventDefault()
    } else if (
      onKey(event, shown[index]) ||
      select(list, event, shown[index]) ||
      act(list, event, shown[index], onOpen)
    ) {
      event.preventDefault()
    }
  }
}

/**
 * The index of the first name from `index` on, wrapping around, that begins with `text`. A single letter skips the line
 * at `index`, to step through the names. Pure.
 */
export function indexStartingWith(shown: readonly Entry[], text: string, index: number): number | null {
  const start = text.length === 1 ? index + 1 : index
  for (let step = 0; step < shown.length; step += 1) {
    const at = (start + step) % shown.length
    if (shown[at]?.name.toLocaleLowerCase().startsWith(text) === true) return at
  }
  return null
}

function moveTo(list: ObjectList, event: KeyboardEvent, entry: Entry, isArrow: boolean): void {
  if (event.shiftKey && isArrow) selectEntriesTo(list, entry.key)
  else if (event.ctrlKey || event.metaKey) focusEntry(list, entry.key)
  else moveToEntry(list, entry)
}

function select(list: ObjectList, event: KeyboardEvent, focused: Entry | undefined): boolean {
  const isCommand = event.ctrlKey || event.metaKey
  if (event.key === ' ' && focused !== undefined) toggleEntry(list, focused)
  else if (event.key.toLowerCase() === 'a' && isCommand) selectAllEntries(list)
  else return false
  return true
}

function act(
  list: ObjectList,
  event: KeyboardEvent,
  focused: Entry | undefined,
  onOpen: (entry: Entry) => void,
): boolean {
  if (event.key === 'Backspace' || (event.key === 'ArrowUp' && event.altKey)) goUp(list)
  else if (event.key === 'Enter' && focused !== undefined && !event.ctrlKey && !event.metaKey) onOpen(focused)
  else return false
  return true
}
