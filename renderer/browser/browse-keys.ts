// Keys and presses in the browser beyond moving in its list: rename, delete, copy, properties, leave a filter, search, selection.

import type { KeyboardEvent } from 'react'
import { performOn, type EntryAction } from '../actions/browse-actions.ts'
import { ENTRY_KEYS } from '../commands/shortcuts.ts'
import { browser } from '../state/browse-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import { endSearch, setObjectSearch } from '../state/objects/object-list.ts'
import { clearEntrySelection, selectOnlyEntry } from '../state/objects/selection.ts'
import { inTable, keysOf } from '../ui/shortcut.ts'

/** @returns whether the key did something */
export function actByKey(event: KeyboardEvent, focused: Entry | undefined): boolean {
  if (keysOf(event) === 'Escape') {
    leave()
    return true
  }
  const action = inTable(BY_KEYS, event)
  if (focused === undefined || action === undefined) return false
  // Space selects what can't be previewed.
  if (action === 'preview' && focused.kind !== 'object') return false
  if (action !== 'preview' || !event.repeat) actOn(focused, () => performOn(action, ...onlyOn(focused, action)))
  return true
}

/** Return is left to the list. */
const BY_KEYS: Readonly<Record<string, EntryAction>> = Object.fromEntries(
  (['preview', 'copy-key', 'properties', 'rename', 'delete'] as const).flatMap((action) =>
    (ENTRY_KEYS[action] ?? []).map((keys) => [keys, action] as const),
  ),
)

/** Some act on the focused line, whatever is selected beside it. */
function onlyOn(focused: Entry, action: EntryAction): readonly [] | readonly [readonly Entry[]] {
  return action === 'copy-key' || action === 'delete' ? [] : [[focused]]
}

/** Opens a bucket or folder; downloads an object, with whatever is selected beside it. */
export function openOrDownload(entry: Entry): void {
  actOn(entry, () => {
    if (entry.kind === 'object') performOn('download')
    else performOn('open', [entry])
  })
}

/** Acts on the selection. If the line isn't part of it, the line becomes the selection first. */
function actOn(entry: Entry, act: () => void): void {
  if (!browser.store.getState().selection.has(entry.key)) selectOnlyEntry(browser, entry)
  act()
}

function leave(): void {
  const { listing, selection, sought } = browser.store.getState()
  if (listing.search !== '') setObjectSearch(browser, '')
  else if (selection.size > 0 || sought === null) clearEntrySelection(browser)
  else endSearch(browser)
}
