// Focus and selection in the object browser, by mouse and keyboard.

import { browseStore, useBrowse, type BrowseState } from './browse-store.ts'
import type { Entry } from './listing.ts'

/** Moves focus without selecting. */
export function focusEntry(key: string): void {
  if (browseStore.getState().focusedKey !== key) browseStore.setState({ focusedKey: key })
}

export function selectOnlyEntry(key: string): void {
  browseStore.setState({ selection: new Set([key]), anchorKey: key, focusedKey: key })
}

export function toggleEntry(key: string): void {
  browseStore.setState(({ selection }) => {
    const next = new Set(selection)
    if (!next.delete(key)) next.add(key)
    return { selection: next, anchorKey: key, focusedKey: key }
  })
}

/** Selects from the anchor to `key`, both included, as shown. */
export function selectEntriesTo(key: string): void {
  browseStore.setState(({ listing: { shown }, anchorKey, focusedKey }) => {
    const start = anchorKey ?? focusedKey ?? key
    const to = shown.findIndex((entry) => entry.key === key)
    const from = shown.findIndex((entry) => entry.key === start)
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
    const selection = new Set(shown.slice(first, last + 1).map((entry) => entry.key))
    return { selection, focusedKey: key, anchorKey: from < 0 ? key : start }
  })
}

export function selectAllEntries(): void {
  browseStore.setState(({ listing }) => ({ selection: new Set(listing.shown.map(({ key }) => key)) }))
}

export function clearEntrySelection(): void {
  browseStore.setState({ selection: new Set(), anchorKey: null })
}

interface Known {
  readonly shown: readonly Entry[]
  readonly selection: ReadonlySet<string>
  readonly found: readonly Entry[]
}

let known: Known = { shown: [], selection: new Set(), found: [] }

/**
 * The lines that are selected and shown: what a filter hides is not deleted. Kept, for with 100,000 of them it is worth
 * it.
 */
export function selectedEntries({ listing: { shown }, selection }: BrowseState): readonly Entry[] {
  if (known.shown !== shown || known.selection !== selection) {
    const found = selection.size === 0 ? [] : shown.filter(({ key }) => selection.has(key))
    known = { shown, selection, found }
  }
  return known.found
}

export function useSelectedEntries(): readonly Entry[] {
  return useBrowse(selectedEntries)
}

export function useIsEntrySelected(key: string): boolean {
  return useBrowse(({ selection }) => selection.has(key))
}
