import type { PlaceId } from '../place/place.ts'
import type { TransferGroup } from './transfer-group.ts'

/** What the rows of a group can be sorted by. */
export const SORT_COLUMNS = ['name', 'progress', 'speed', 'left', 'size', 'place', 'added'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** The columns beside the name, in the order of the list. */
export const COLUMNS = ['progress', 'speed', 'left', 'place', 'size', 'added'] as const
export type Column = (typeof COLUMNS)[number]

/** Those that are shown at first. */
export const USUAL_COLUMNS: readonly Column[] = ['progress', 'speed', 'left']

/** By which column the rows of each group are sorted; null: in queue order, what is done by when, latest first. */
export type Sort = { readonly by: SortColumn; readonly isDescending: boolean } | null

/** How the list of transfers is shown, and what is offered first, as a person left it. */
export interface QueueView {
  readonly sort: Sort
  /** Groups of which only the head is shown. */
  readonly collapsed: readonly TransferGroup[]
  /** Columns beside the name, as far as there is room for them. */
  readonly columns: readonly Column[]
  /** Every row is one line high, as what is done always is. */
  readonly isCompact: boolean
  /** The bucket that was uploaded to last, of places that have several. */
  readonly buckets: Readonly<Record<PlaceId, string>>
}
