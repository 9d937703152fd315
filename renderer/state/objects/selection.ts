// Focus and selection in a list of objects, by mouse and keyboard.

import type { Entry } from './listing.ts'
import { useObjectList, type ObjectList } from './object-list.ts'

/** By key. In a list to pick from none of it is inside another. */
export type Selection = ReadonlyMap<string, Entry>

/** Moves focus without selecting. */
export function focusEntry({ store }: ObjectList, key: string): void {
  if (store.getState().focusedKey !== key) store.setState({ focusedKey: key })
}

export function selectOnlyEntry({ store }: ObjectList, entry: Entry): void {
  const { key } = entry
  store.setState({ selection: new Map([[key, entry]]), anchorKey: key, focusedKey: key })
}

/** What comes along with a selected folder can't be left out of it. */
export function toggleEntry({ store }: ObjectList, entry: Entry): void {
  const { key } = entry
  store.setState(({ selection }) => ({ selection: withToggled(selection, entry), anchorKey: key, focusedKey: key }))
}

/** A press on a line, or a move to it. */
export function pressEntry(list: ObjectList, entry: Entry): void {
  if (list.isPicker) toggleEntry(list, entry)
  else selectOnlyEntry(list, entry)
}

export function moveToEntry(list: ObjectList, entry: Entry): void {
  if (list.isPicker) focusEntry(list, entry.key)
  else selectOnlyEntry(list, entry)
}

/** Selects from the anchor to `key`, both included, as shown. */
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

/** Selects what a marquee spans, beside what was selected before it; a range by keys goes on from there. */
export function selectSpannedEntries({ store }: ObjectList, base: Selection, spanned: readonly Entry[]): void {
  const anchorKey = spanned[0]?.key ?? null
  const focusedKey = spanned.at(-1)?.key ?? store.getState().focusedKey
  store.setState({ selection: withAll(base, spanned), anchorKey, focusedKey })
}

export function clearEntrySelection({ store }: ObjectList): void {
  store.setState({ selection: NOTHING, anchorKey: null })
}

const NOTHING: Selection = new Map()

/** Selects an entry, which takes in whatever is selected inside it, or puts it back. Pure. */
export function withToggled(selection: Selection, entry: Entry): Selection {
  if (!selection.has(entry.key)) return withAll(selection, [entry])
  const left = new Map(selection)
  left.delete(entry.key)
  return left
}

/** Selects entries, and takes them in that are inside one of them. Pure. */
export function withAll(selection: Selection, entries: readonly Entry[]): Selection {
  const all = new Map(selection)
  for (const entry of entries) all.set(entry.key, entry)
  for (const key of [...all.keys()]) if (isInSelectedFolder(all, key)) all.delete(key)
  return all
}

/** Whether a key or prefix comes along with a folder around it. Pure. */
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

/** With 100,000 lines it is worth keeping what was found. */
const known = new WeakMap<Selection, Shown>()

/** What is selected; except where it is picked, only of what is shown: what a filter hides is not deleted. */
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

/** `along`: with the folder around it. */
export function useSelected(list: ObjectList, key: string): 'selected' | 'along' | null {
  return useObjectList(list, ({ selection }) =>
    selection.has(key) ? 'selected' : isInSelectedFolder(selection, key) ? 'along' : null,
  )
}
