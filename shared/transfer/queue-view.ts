import type { PlaceId } from '../place/place.ts'
import type { TransferGroup } from './transfer-group.ts'

/** The columns by which the rows of a group can be sorted. */
export const SORT_COLUMNS = ['name', 'progress', 'speed', 'left', 'size', 'place', 'added'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/** The columns beside the name, in display order. */
export const COLUMNS = ['progress', 'speed', 'left', 'place', 'size', 'added'] as const
export type Column = (typeof COLUMNS)[number]

/** The columns that are shown by default. */
export const USUAL_COLUMNS: readonly Column[] = ['progress', 'speed', 'left']

/** How the rows of each group are sorted; null: in queue order, and finished rows by when they ended, latest first. */
export type Sort = { readonly by: SortColumn; readonly isDescending: boolean } | null

/** The columns of lists of files whose width a person can change; the name takes the rest. */
export type EntryColumn = 'size' | 'modified'

/** The widths that such a column can have, pixels. */
export const ENTRY_WIDTH = { least: 48, most: 400 }

/** The widths of the columns of lists of files, pixels. */
export type EntryWidths = Readonly<Record<EntryColumn, number>>

export const USUAL_WIDTHS: EntryWidths = { size: 88, modified: 148 }

/** How the list of transfers is shown, which buckets are offered first, and how wide columns are, as a person left them. */
export interface QueueView {
  readonly sort: Sort
  /** Groups of which only the heading is shown. */
  readonly collapsed: readonly TransferGroup[]
  /** Columns beside the name; shown as far as there is room. */
  readonly columns: readonly Column[]
  /** Whether every row is one line high, as finished rows always are. */
  readonly isCompact: boolean
  /** The bucket that was last uploaded to, for places that have several. */
  readonly buckets: Readonly<Record<PlaceId, string>>
  readonly entryWidths: EntryWidths
}
