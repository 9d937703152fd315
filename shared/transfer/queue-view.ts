import type { TransferGroup } from './transfer-group.ts'

/** What the rows of a group can be sorted by. */
export const SORT_COLUMNS = ['name', 'progress', 'speed', 'left'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** By which column the rows of each group are sorted; null: in queue order, what is done by when, latest first. */
export type Sort = { readonly by: SortColumn; readonly isDescending: boolean } | null

/** How the list of transfers is shown, as a person left it. */
export interface QueueView {
  readonly sort: Sort
  /** Groups of which only the head is shown. */
  readonly collapsed: readonly TransferGroup[]
}
