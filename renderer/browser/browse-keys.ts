// Keys and presses in the browser beyond moving in its list: rename, delete, copy, properties, leave a filter, search, selection.

import type { KeyboardEvent } from 'react'
import { performOn } from '../actions/browse-actions.ts'
import { browser } from '../state/browse-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import { endSearch, setObjectSearch } from '../state/objects/object-list.ts'
import { clearEntrySelection, selectOnlyEntry } from '../state/objects/selection.ts'

/** @returns whether the key did something */
export function actByKey(event: KeyboardEvent, focused: Entry | undefined): boolean {
  if (event.key === 'Escape') {
    leave()
    return true
  }
  if (focused === undefined) return false
  // ⌘⌫ on a Mac, whose keyboards have no Delete key.
  const isDelete = event.metaKey ? event.key === 'Backspace' : event.key === 'Delete' && !event.ctrlKey
  if (isDelete) actOn(focused, () => performOn('delete'))
  else if (isCopy(event)) actOn(focused, () => performOn('copy-key'))
  else if (event.ctrlKey || event.metaKey) return false
  else if (event.key === 'F2') actOn(focused, () => performOn('rename', [focused]))
  else if (event.key === 'Enter' && event.altKey) actOn(focused, () => performOn('properties', [focused]))
  else if (event.key === ' ' && !event.shiftKey && focused.kind === 'object') {
    if (!event.repeat) actOn(focused, () => performOn('preview', [focused]))
  } else return false
  return true
}

function isCopy({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'c' && (ctrlKey || metaKey) && !shiftKey && !altKey
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
