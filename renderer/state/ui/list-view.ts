// Which transfers the list shows, and how. Except for filter and search, `kept-view.ts` keeps it across restarts.

import type { PlaceId } from '../../../shared/place/place.ts'
import { COLUMNS, type Column, type SortColumn } from '../../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import { nextSort } from '../queue/sorting.ts'
import { uiStore, type Filter } from './ui-store.ts'

/** Sets the filter. `all` also includes the transfers of every place. */
export function setFilter(filter: Filter): void {
  uiStore.setState({ view: 'queue', filter, ...(filter === 'all' && { onlyPlaceId: null }) })
}

/** Shows the transfers of one place only; null: those of all places again. */
export function showOnlyPlace(onlyPlaceId: PlaceId | null): void {
  uiStore.setState({ view: 'queue', onlyPlaceId, ...(onlyPlaceId !== null && { filter: 'all', search: '' }) })
}

/** Sorts by a column, in the other direction, or by none again. */
export function sortRowsBy(column: SortColumn): void {
  uiStore.setState(({ sort }) => ({ sort: nextSort(sort, column) }))
}

/** Sorts by a column in its usual direction; null: by none. */
export function setSort(column: SortColumn | null): void {
  const { sort } = uiStore.getState()
  if (column === (sort?.by ?? null)) return
  uiStore.setState({ sort: column === null ? null : nextSort(null, column) })
}

/** Shows or hides a column of the list. */
export function toggleColumn(column: Column): void {
  uiStore.setState(({ columns }) => ({
    columns: COLUMNS.filter((each) => columns.includes(each) !== (each === column)),
  }))
}

/** Makes rows one line high, or two again. */
export function toggleCompact(): void {
  uiStore.setState(({ isCompact }) => ({ isCompact: !isCompact }))
}

/** Below this width of the list, pixels, a sentence beside the buttons of its row would be cut off. */
const NARROW_BELOW = 460

/** Notes the width of the list, pixels. */
export function noteListWidth(widthPx: number): void {
  const isNarrow = widthPx < NARROW_BELOW
  if (isNarrow !== uiStore.getState().isNarrow) uiStore.setState({ isNarrow })
}

/** Shows or hides the rows of a group. */
export function toggleGroup(group: TransferGroup): void {
  const collapsed = new Set(uiStore.getState().collapsed)
  if (!collapsed.delete(group)) collapsed.add(group)
  uiStore.setState({ collapsed })
}

/** Remembers the bucket, to offer it first at the next upload to the place. */
export function keepBucket(placeId: PlaceId, bucket: string): void {
  uiStore.setState(({ buckets }) => ({ buckets: { ...buckets, [placeId]: bucket } }))
}

export function setSearch(search: string): void {
  uiStore.setState({ search })
}
