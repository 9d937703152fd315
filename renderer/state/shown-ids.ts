import { createStore } from 'zustand/vanilla'
import type { PlaceId } from '../../shared/place/place.ts'
import { GROUPS, groupOf, type TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { appStore, placeById } from './app-store.ts'
import {
  fileOfKey,
  headKey,
  isHeadKey,
  keyOf,
  layoutList,
  type ListLayout,
  type OpenedRow,
  type Section,
} from './queue/list-layout.ts'
import { openFoldersStore } from './open-folders.ts'
import { liveRow, onRowChanges, queueStore, type RowChanges } from './queue/queue-store.ts'
import { createRowOrder, type Placement, type RowOrder } from './queue/row-order.ts'
import { comparatorOf, isSortedByNumbers } from './queue/sorting.ts'
import { showOnlyPlace } from './ui/list-view.ts'
import { uiStore, type Filter, type UiState } from './ui/ui-store.ts'

/** What the list shows. Computed once per change, not per render. */
export const shownStore = createStore<ShownState>(() => ({
  sections: [],
  layout: layoutList([]),
  selection: new Set<TransferId>(),
}))

export interface ShownState {
  readonly sections: readonly Section[]
  readonly layout: ListLayout
  /** The selected transfers that no filter hides. Commands act on these, and the inspector shows them. */
  readonly selection: ReadonlySet<TransferId>
}

let order: RowOrder = createRowOrder(comparatorOf(null, placeNameOf))

/** The name of a row's place, for sorting. */
function placeNameOf({ placeId, key }: TransferRow): string {
  return placeById(appStore.getState(), placeId)?.name ?? (URL.canParse(key) ? new URL(key).host : '')
}

/** The shown transfers from top to bottom, without those of collapsed groups. */
export function shownIds(): readonly TransferId[] {
  return shownStore.getState().sections.flatMap(({ ids, head }) => (head?.isCollapsed === true ? [] : ids))
}

/** The selected transfers that no filter hides. */
export function shownSelection(): readonly TransferId[] {
  return [...shownStore.getState().selection]
}

/** The transfers with a row between two heights of the list, pixels, ordered from the first height to the second. */
export function idsBetween(from: number, to: number): readonly TransferId[] {
  const { layout } = shownStore.getState()
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)]
  const found: TransferId[] = []
  for (let index = layout.indexAtHeight(top); index < layout.count; index += 1) {
    const line = layout.lineAt(index)
    if (line === null || line.top > bottom) break
    if (line.kind === 'row' && line.top + line.height > top) found.push(line.id)
  }
  return from <= to ? found : found.reverse()
}

/** The index of the line of a transfer, a file or the head of a group, by its key; -1: it is not shown. */
export function lineOf(key: TransferId): number {
  const { layout } = shownStore.getState()
  if (isHeadKey(key))
    return Math.max(-1, ...GROUPS.filter((each) => headKey(each) === key).map((each) => layout.indexOf(each, -1)))
  const file = fileOfKey(key)
  const id = file?.id ?? key
  const group = order.groupOf(id)
  const row = group === null ? -1 : layout.indexOf(group, order.indexOf(id))
  if (row < 0 || file === null) return row
  const index = row + 1 + file.number
  const line = layout.lineAt(index)
  return line?.kind === 'file' && line.id === id ? index : -1
}

/** The group that a transfer is shown in, whether collapsed or not; null: it is not shown. */
export function shownGroupOf(id: TransferId): TransferGroup | null {
  return order.groupOf(id)
}

/** All transfers of the group in which the first of these is shown. */
export function idsAround([first]: readonly TransferId[]): readonly TransferId[] {
  const group = first === undefined ? null : order.groupOf(first)
  return group === null ? [] : order.ids(group)
}

export interface ShownQuery {
  readonly filter: Filter
  readonly search: string
  readonly onlyPlaceId: PlaceId | null
}

/**
 * The group in which a row is shown; null: in none. `held` is its present group, which it keeps while the pointer is on
 * it. Pure.
 */
export function placeOf(row: TransferRow, query: ShownQuery, held: TransferGroup | null): TransferGroup | null {
  const words = query.search.trim().toLocaleLowerCase()
  const group = held ?? groupOf(row.status)
  const isOfFilter = query.filter === 'all' || query.filter === group
  const isOfPlace = query.onlyPlaceId === null || query.onlyPlaceId === row.placeId
  return isOfFilter && isOfPlace && (words === '' || matches(row, words)) ? group : null
}

function matches(row: TransferRow, words: string): boolean {
  return row.name.toLocaleLowerCase().includes(words) || row.key.toLocaleLowerCase().includes(words)
}

/** The state that decides which rows are shown, and in which order. */
const QUERY = ['filter', 'search', 'onlyPlaceId', 'sort'] as const

/** The state that decides how high the list and its rows are. */
const HEIGHTS = ['collapsed', 'isCompact', 'isNarrow'] as const

/** Whether a row says why its transfer doesn't go on. */
function saysWhyNot(id: TransferId): boolean {
  const status = liveRow(id)?.status
  return status === 'failed' || status === 'waiting'
}

/** Keeps `shownStore` up to date. Returns a function that stops this. */
export function connectShownIds(): () => void {
  function placementOf(id: TransferId): Placement {
    const ui = uiStore.getState()
    const row = liveRow(id)
    const held = isHeld(id, ui) ? order.groupOf(id) : null
    const group = row === undefined ? null : placeOf(row, ui, held)
    return { id, to: row === undefined || group === null ? null : { row, group } }
  }

  /** @param mayGrow whether rows may have another height, even if none moves */
  function place(ids: readonly TransferId[], mayGrow = false): void {
    const { focusedId } = uiStore.getState()
    const focusedLine = focusedId === null ? -1 : lineOf(focusedId)
    if (order.place(ids.map(placementOf)) || mayGrow) publish(focusedLine)
  }

  function rebuild(): void {
    const { sort } = uiStore.getState()
    order = createRowOrder(comparatorOf(sort, placeNameOf))
    order.place(queueStore.getState().order.map(placementOf))
    publish(-1)
  }

  /** @param focusedLine the line of the focused row before the change */
  function publish(focusedLine: number): void {
    const sections = sectionsOf(uiStore.getState())
    const { isCompact, isNarrow } = uiStore.getState()
    const layout = layoutList(sections, openedRows(), { isCompact, isTall: isNarrow ? saysWhyNot : null })
    shownStore.setState({ sections, layout })
    showSelection()
    const { focusedId, leaving } = uiStore.getState()
    if (focusedId === null || focusedLine < 0 || lineOf(focusedId) >= 0) return
    // A transfer that stops before it leaves is in another group by then, and others beside it are gone.
    const next = leaving?.ids.has(focusedId) === true && lineOf(leaving.next) >= 0 ? leaving.next : null
    uiStore.setState({ focusedId: next ?? keyNear(layout, focusedLine) })
  }

  function onChanges(changes: RowChanges): void {
    if (changes === 'all') rebuild()
    // In a narrow list, another state may give a row another height.
    else if (changes.kind === 'reworded') place(changes.ids, uiStore.getState().isNarrow)
    else if (isSortedByNumbers(uiStore.getState().sort)) place(changes.ids)
  }

  const stopRows = onRowChanges(onChanges)
  const stopFolders = openFoldersStore.subscribe(({ totals }, before) => {
    if (totals === before.totals) return
    const { focusedId } = uiStore.getState()
    publish(focusedId === null ? -1 : lineOf(focusedId))
  })
  const stopUi = uiStore.subscribe((state, previous) => {
    const isAnother = QUERY.some((name) => state[name] !== previous[name])
    if (isAnother) return rebuild()
    if (state.selection !== previous.selection) showSelection()
    if (HEIGHTS.some((name) => state[name] !== previous[name]))
      publish(state.focusedId === null ? -1 : lineOf(state.focusedId))
    const left = [previous.hoveredId, previous.focusedId].filter((id) => id !== null)
    if (state.hoveredId !== previous.hoveredId || state.focusedId !== previous.focusedId)
      place(left.filter((id) => !isHeld(id, state) && liveRow(id) !== undefined))
  })
  const stopPlaces = appStore.subscribe(({ places }, before) => {
    if (places === before.places) return
    const { sort, onlyPlaceId } = uiStore.getState()
    if (onlyPlaceId !== null && !places.some(({ id }) => id === onlyPlaceId)) showOnlyPlace(null)
    else if (sort?.by === 'place') rebuild()
  })
  rebuild()
  return () => {
    stopRows()
    stopFolders()
    stopUi()
    stopPlaces()
  }
}

function showSelection(): void {
  const { selection } = uiStore.getState()
  const { selection: before } = shownStore.getState()
  const shown = new Set([...selection].filter((id) => order.groupOf(id) !== null))
  const isSame = shown.size === before.size && [...shown].every((id) => before.has(id))
  if (!isSame) shownStore.setState({ selection: shown })
}

/** The expanded folders in display order. A folder whose files aren't known yet gets one line that says so. */
function openedRows(): readonly OpenedRow[] {
  const opened = [...openFoldersStore.getState().totals].flatMap(([id, total]) => {
    const group = order.groupOf(id)
    return group === null ? [] : [{ id, group, row: order.indexOf(id), files: Math.max(1, total) }]
  })
  return opened.sort((left, right) => left.row - right.row)
}

/** Whether a row is kept in place: the row under the pointer always, and the focused one while a filter is on. */
function isHeld(id: TransferId, { filter, hoveredId, focusedId }: UiState): boolean {
  return id === hoveredId || (filter !== 'all' && id === focusedId)
}

function sectionsOf({ filter, collapsed }: UiState): readonly Section[] {
  const sections = GROUPS.map((group) => ({
    group,
    ids: order.ids(group),
    head: filter === 'all' ? { isCollapsed: collapsed.has(group) } : null,
  }))
  return sections.filter(({ ids }) => ids.length > 0)
}

/** What gets the focus when the focused line disappears: the line that took its place, or the last one. Pure. */
export function keyNear(layout: ListLayout, index: number): TransferId | null {
  const line = layout.lineAt(Math.min(index, layout.count - 1))
  if (line === null) return null
  if (line.kind !== 'head') return keyOf(line)
  const next = layout.lineAt(line.index + 1) ?? layout.lineAt(line.index - 1)
  return next?.kind === 'row' ? next.id : headKey(line.group)
}
