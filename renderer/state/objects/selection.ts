// Focus and selection in a list of objects, by mouse and keyboard.

import type { Entry } from './listing.ts'
import { useObjectList, type ObjectList } from './object-list.ts'

/** The selected entries by key. In a list for picking, no selected entry is inside another one. */
export type Selection = ReadonlyMap<string, Entry>

/** Moves focus without selecting. */
export function focusEntry({ store }: ObjectList, key: string): void {
  if (store.getState().focusedKey !== key) store.setState({ focusedKey: key })
}

/** Moves focus from an entry that is about to be removed to the next one that stays, or else to the last one before. */
export function focusBeside(list: ObjectList, removed: ReadonlySet<string>): void {
  const { listing, focusedKey } = list.store.getState()
  if (focusedKey === null || !removed.has(focusedKey)) return
  const stays = ({ key }: Entry) => !removed.has(key)
  const index = listing.shown.findIndex(({ key }) => key === focusedKey)
  if (index === -1) return
  const beside = listing.shown.slice(index).find(stays) ?? listing.shown.slice(0, index).findLast(stays)
  if (beside !== undefined) focusEntry(list, beside.key)
}

export function selectOnlyEntry({ store }: ObjectList, entry: Entry): void {
  const { key } = entry
  store.setState({ selection: new Map([[key, entry]]), anchorKey: key, focusedKey: key })
}

/** Selects or deselects an entry. Entries inside a selected folder can't be deselected. */
export function toggleEntry({ store }: ObjectList, entry: Entry): void {
  const { key } = entry
  store.setState(({ selection }) => ({ selection: withToggled(selection, entry), anchorKey: key, focusedKey: key }))
}

/** Handles a press on a line. */
export function pressEntry(list: ObjectList, entry: Entry): void {
  if (list.isPicker) toggleEntry(list, entry)
  else selectOnlyEntry(list, entry)
}

export function moveToEntry(list: ObjectList, entry: Entry): void {
  if (list.isPicker) focusEntry(list, entry.key)
  else selectOnlyEntry(list, entry)
}

/** Selects from the anchor to `key`, both included, in display order. */
export function selectEntriesTo({ store, isPicker }: ObjectList, key: string): void {
  store.setState(({ listing: { shown }, selection, anchorKey, focusedKey }) => {
    const start = anchorKey ?? focusedKey ?? key
    const to = shown.findIndex((entry) => entry.key === key)
    const from = shown.findIndex((entry) => entry.key === start)
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
    const added = shown.slice(first, last + 1)
    return {
      selection: withAll(isPicker ? selection : NOTHING, added),
      focusedKey: key,
      anchorKey: from < 0 ? key : start,
    }
  })
}

export function selectAllEntries({ store, isPicker }: ObjectList): void {
  store.setState(({ listing, selection }) => ({ selection: withAll(isPicker ? selection : NOTHING, listing.shown) }))
}

/** Selects what a marquee spans, in addition to `base`. A later selection with Shift starts from there. */
export function selectSpannedEntries({ store }: ObjectList, base: Selection, spanned: readonly Entry[]): void {
  const anchorKey = spanned[0]?.key ?? null
  const focusedKey = spanned.at(-1)?.key ?? store.getState().focusedKey
  store.setState({ selection: withAll(base, spanned), anchorKey, focusedKey })
}

export function clearEntrySelection({ store }: ObjectList): void {
  store.setState({ selection: NOTHING, anchorKey: null })
}

const NOTHING: Selection = new Map()

/** Selects an entry, which absorbs anything selected inside it, or deselects it. Pure. */
export function withToggled(selection: Selection, entry: Entry): Selection {
  if (!selection.has(entry.key)) return withAll(selection, [entry])
  const left = new Map(selection)
  left.delete(entry.key)
  return left
}

/** Selects entries; each absorbs any that are inside it. Pure. */
export function withAll(selection: Selection, entries: readonly Entry[]): Selection {
  const all = new Map(selection)
  for (const entry of entries) all.set(entry.key, entry)
  for (const key of [...all.keys()]) if (isInSelectedFolder(all, key)) all.delete(key)
  return all
}

/** Whether a key or prefix is inside a selected folder. Pure. */
export function isInSelectedFolder(selection: Selection, key: string): boolean {
  for (let end = key.indexOf('/') + 1; end > 0 && end < key.length; end = key.indexOf('/', end) + 1) {
    if (selection.get(key.slice(0, end))?.kind === 'folder') return true
  }
  return false
}

interface Shown {
  readonly shown: readonly Entry[]
  readonly found: readonly Entry[]
}

/** Cached results: with 100,000 lines it pays to keep them. */
const known = new WeakMap<Selection, Shown>()

/** The selected entries. Unless the list is for picking, only those shown: what a filter hides must not be deleted. */
export function selectedEntries({ store, isPicker }: ObjectList): readonly Entry[] {
  const { listing, selection } = store.getState()
  const before = known.get(selection)
  if (before !== undefined && (isPicker || before.shown === listing.shown)) return before.found
  const found = isPicker ? [...selection.values()] : listing.shown.filter(({ key }) => selection.has(key))
  known.set(selection, { shown: listing.shown, found })
  return found
}

export function useSelectedEntries(list: ObjectList): readonly Entry[] {
  return useObjectList(list, () => selectedEntries(list))
}

/** Whether an entry is selected; `along`: a folder around it is. */
export function useSelected(list: ObjectList, key: string): 'selected' | 'along' | null {
  return useObjectList(list, ({ selection }) =>
    selection.has(key) ? 'selected' : isInSelectedFolder(selection, key) ? 'along' : null,
  )
}
