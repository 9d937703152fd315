// The selected rows, and those that are focused, under the pointer or being revealed.

import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { uiStore } from './ui-store.ts'

export function setHovered(hoveredId: TransferId | null): void {
  if (uiStore.getState().hoveredId !== hoveredId) uiStore.setState({ hoveredId })
}

/** Moves focus without selecting (Ctrl and an arrow, or a click on a row's button). */
export function focusRow(id: TransferId): void {
  if (uiStore.getState().focusedId !== id) uiStore.setState({ focusedId: id })
}

/** Tells which row has the focus once these, which take a while to stop, have left the list. */
export function noteLeaving(ids: readonly TransferId[], next: TransferId): void {
  uiStore.setState({ leaving: { ids: new Set(ids), next } })
}

export function selectOnly(id: TransferId): void {
  uiStore.setState({ selection: new Set([id]), anchorId: id, focusedId: id })
}

/** Selects rows and shows the first, even if a filter hides it or it is still to arrive. */
export function revealRows(ids: readonly TransferId[]): void {
  const [first = null] = ids
  const selection = new Set(ids)
  const focus = { anchorId: first, focusedId: first, revealedId: first }
  uiStore.setState({ view: 'queue', filter: 'all', search: '', onlyPlaceId: null, selection, ...focus })
}

export function endReveal(): void {
  uiStore.setState({ revealedId: null })
}

export function toggleSelected(id: TransferId): void {
  uiStore.setState(({ selection }) => {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    return { selection: next, anchorId: id, focusedId: id }
  })
}

/** Selects from the anchor to `id`, both included, in display order. */
export function selectRange(id: TransferId, shown: readonly TransferId[]): void {
  uiStore.setState(({ anchorId, focusedId }) => {
    const from = shown.indexOf(anchorId ?? focusedId ?? id)
    const to = shown.indexOf(id)
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
    return { selection: new Set(shown.slice(first, last + 1)), focusedId: id, anchorId: shown[from] ?? id }
  })
}

export function selectAll(shown: readonly TransferId[]): void {
  uiStore.setState({ selection: new Set(shown) })
}

/** Selects what a marquee spans, in addition to `base`. A later selection with Shift starts from there. */
export function selectSpanned(base: ReadonlySet<TransferId>, spanned: readonly TransferId[]): void {
  const [anchorId = null] = spanned
  const focusedId = spanned.at(-1) ?? uiStore.getState().focusedId
  uiStore.setState({ selection: new Set([...base, ...spanned]), anchorId, focusedId })
}

export function clearSelection(): void {
  uiStore.setState({ selection: new Set(), anchorId: null })
}

/** Deselects rows that left the list. */
export function forgetRows(removed: readonly TransferId[]): void {
  const { selection, anchorId } = uiStore.getState()
  if (!removed.some((id) => selection.has(id) || id === anchorId)) return
  const next = new Set(selection)
  for (const id of removed) next.delete(id)
  uiStore.setState({ selection: next, anchorId: anchorId !== null && removed.includes(anchorId) ? null : anchorId })
}
