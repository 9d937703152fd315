import { useState, type KeyboardEvent, type RefObject } from 'react'
import { ENTRY_KEYS, UP_KEYS } from '../commands/shortcuts.ts'
import type { Entry } from '../state/objects/listing.ts'
import { goUp, type ObjectList } from '../state/objects/object-list.ts'
import { focusEntry, moveToEntry, selectAllEntries, selectEntriesTo, toggleEntry } from '../state/objects/selection.ts'
import { targetIndex } from '../ui/hooks/target-index.ts'
import { createTypedWord } from '../ui/hooks/typed-word.ts'
import { holdsMod, inTable, keysOf } from '../ui/shortcut.ts'
import { enterHeads, isInHeads, moveInHeads } from './head-keys.ts'

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

/** The keys of a list: arrows and typing move, Return opens, others lead to the folder above, Shift and Ctrl select. */
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
    if (isInHeads(event.target)) return moveInHeads(event)
    const { listing, focusedKey } = list.store.getState()
    const { shown } = listing
    const isCommand = event.ctrlKey || event.metaKey
    const index = Math.max(
      0,
      shown.findIndex(({ key }) => key === focusedKey),
    )
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEADS_HEIGHT) / ROW_HEIGHT) - 1)
    const does = inTable(STEPS, event)
    const led = does === undefined ? targetIndex(event.key, index, shown.length, page) : null
    const target = led ?? (isCommand || event.altKey ? null : typeAhead(event, shown, index))
    const entry = target === null ? undefined : shown[target]
    if (index === 0 && keysOf(event) === 'Up') {
      enterHeads(scroller.current)
      event.preventDefault()
    } else if (target !== null && entry !== undefined && !event.altKey) {
      moveTo(list, event, entry, led !== null)
      scrollTo(target)
      event.preventDefault()
    } else if (
      onKey(event, shown[index]) ||
      select(list, event, shown[index]) ||
      step(list, does, shown[index], onOpen)
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
  else if (holdsMod(event)) focusEntry(list, entry.key)
  else moveToEntry(list, entry)
}

function select(list: ObjectList, event: KeyboardEvent, focused: Entry | undefined): boolean {
  if (event.key === ' ' && focused !== undefined) toggleEntry(list, focused)
  else if (keysOf(event) === 'Mod+A') selectAllEntries(list)
  else return false
  return true
}

/** The keys that lead out of the folder, and into what has focus. */
const STEPS: Readonly<Record<string, 'up' | 'open'>> = {
  ...Object.fromEntries(UP_KEYS.map((keys) => [keys, 'up'] as const)),
  ...Object.fromEntries((ENTRY_KEYS.open ?? []).map((keys) => [keys, 'open'] as const)),
}

function step(
  list: ObjectList,
  does: 'up' | 'open' | undefined,
  focused: Entry | undefined,
  onOpen: (entry: Entry) => void,
): boolean {
  if (does === 'up') goUp(list)
  else if (does === 'open' && focused !== undefined) onOpen(focused)
  else return false
  return true
}
