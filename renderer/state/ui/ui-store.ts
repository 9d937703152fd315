// The state of the window itself, in one store. The files beside this one change it, one subject each.

import { createStore } from 'zustand/vanilla'
import type { PlaceId } from '../../../shared/place/place.ts'
import {
  USUAL_COLUMNS,
  USUAL_WIDTHS,
  type Column,
  type EntryWidths,
  type Sort,
} from '../../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { DialogState, Question } from './dialog.ts'

export type Filter = 'all' | TransferGroup

export interface Toast {
  /** Unique among the toasts. */
  readonly key: string
  /** Called whenever the toast is drawn, because the language may have changed by then. */
  readonly text: () => string
  readonly actions: readonly ToastAction[]
}

export interface ToastAction {
  readonly label: () => string
  readonly onPress: () => void
}

/** `state-unwritable`: the disk that holds the list of transfers is full or read-only. */
export type NoticeCondition = 'state-unwritable'

export interface UiState {
  /** What the main area shows: the transfers, or the objects of a place. */
  readonly view: 'queue' | 'browse'
  readonly filter: Filter
  readonly search: string
  /** The only place whose transfers are shown; null: all places. */
  readonly onlyPlaceId: PlaceId | null
  readonly sort: Sort
  /** Columns of the list beside the name, in display order. */
  readonly columns: readonly Column[]
  /** Whether every row is one line high. */
  readonly isCompact: boolean
  /** Whether the list is so narrow that a sentence needs the whole width of its row. */
  readonly isNarrow: boolean
  /** Groups of which only the heading is shown. */
  readonly collapsed: ReadonlySet<TransferGroup>
  /** The widths of the columns in lists of files. */
  readonly entryWidths: EntryWidths
  /** The bucket that was last uploaded to, for places that have several. */
  readonly buckets: Readonly<Record<PlaceId, string>>
  readonly selection: ReadonlySet<TransferId>
  /** Where a Shift selection starts. */
  readonly anchorId: TransferId | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedId: TransferId | null
  /** The rows that were last told to leave the list, and the row that has the focus once the focused one has left. */
  readonly leaving: { readonly ids: ReadonlySet<TransferId>; readonly next: TransferId } | null
  /** The row that the list scrolls to once it exists. */
  readonly revealedId: TransferId | null
  /**
   * The row under the pointer, while the pointer is in use. Like the focused row, it stays in place while its state
   * changes.
   */
  readonly hoveredId: TransferId | null
  readonly inspectorOpen: boolean
  /** The drawer over the list of a narrow window. */
  readonly drawer: 'sidebar' | 'inspector' | null
  readonly dialog: DialogState
  /** Shown above the open sheet, if any, which stays whatever the answer. */
  readonly question: Question | null
  /** Stays until dismissed; called whenever it is drawn, like the text of a toast. */
  readonly notice: (() => string) | null
  /** What the notice says, if that may be over by itself; then the notice goes. Null: it stays until dismissed. */
  readonly noticeCondition: NoticeCondition | null
  /** The sheet that was open when it came: that sheet shows it, and the window does once the sheet is closed. */
  readonly noticeOver: DialogState
  /**
   * Oldest first. Each disappears after its own time. Every message is a new object, so that repeating one restarts its
   * time.
   */
  readonly toasts: readonly Toast[]
}

export const uiStore = createStore<UiState>(() => ({
  view: 'queue',
  filter: 'all',
  search: '',
  onlyPlaceId: null,
  sort: null,
  columns: USUAL_COLUMNS,
  isCompact: false,
  isNarrow: false,
  collapsed: new Set<TransferGroup>(),
  entryWidths: USUAL_WIDTHS,
  buckets: {},
  selection: new Set<TransferId>(),
  anchorId: null,
  focusedId: null,
  leaving: null,
  revealedId: null,
  hoveredId: null,
  inspectorOpen: true,
  drawer: null,
  dialog: { kind: 'none' },
  question: null,
  notice: null,
  noticeCondition: null,
  noticeOver: { kind: 'none' },
  toasts: [],
}))
