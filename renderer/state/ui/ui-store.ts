// What the window itself is like, in one store: the files beside this one change it, an idea each.

import { createStore } from 'zustand/vanilla'
import type { PlaceId } from '../../../shared/place/place.ts'
import { USUAL_COLUMNS, type Column, type Sort } from '../../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { DialogState, Question } from './dialog.ts'

export type Filter = 'all' | TransferGroup

export interface Toast {
  /** No two are there with the same. */
  readonly key: string
  /** Asked for whenever it is drawn: the language may be another one by then. */
  readonly text: () => string
  readonly actions: readonly ToastAction[]
}

export interface ToastAction {
  readonly label: () => string
  readonly onPress: () => void
}

export interface UiState {
  /** What the middle of the window shows: the transfers, or the objects of a place. */
  readonly view: 'queue' | 'browse'
  readonly filter: Filter
  readonly search: string
  /** The only place whose transfers are shown; null: those of all. */
  readonly onlyPlaceId: PlaceId | null
  readonly sort: Sort
  /** Columns of the list beside the name, in its order. */
  readonly columns: readonly Column[]
  /** Every row is one line high. */
  readonly isCompact: boolean
  /** Groups of which only the head is shown. */
  readonly collapsed: ReadonlySet<TransferGroup>
  /** The bucket that was uploaded to last, of places that have several. */
  readonly buckets: Readonly<Record<PlaceId, string>>
  readonly selection: ReadonlySet<TransferId>
  /** Where a Shift selection starts. */
  readonly anchorId: TransferId | null
  /** The row that keyboard focus is in, or would return to. */
  readonly focusedId: TransferId | null
  /** The row that the list scrolls to once it is there. */
  readonly revealedId: TransferId | null
  /**
   * The row under the pointer, while a hand is on that; like the focused one it stays where it is while its state
   * changes.
   */
  readonly hoveredId: TransferId | null
  readonly inspectorOpen: boolean
  /** What lies over a narrow window's list. */
  readonly drawer: 'sidebar' | 'inspector' | null
  readonly dialog: DialogState
  /** Above the sheet that is open, if one is; that one stays whatever the answer is. */
  readonly question: Question | null
  /** Stays until dismissed; asked for like the text of a toast. */
  readonly notice: (() => string) | null
  /** What was open when it came: that sheet shows it, and the window once that is closed. */
  readonly noticeOver: DialogState
  /**
   * Oldest first. Each goes by itself, after its own time. A new object for every message, so that a repeated one starts
   * its time again.
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
  collapsed: new Set<TransferGroup>(),
  buckets: {},
  selection: new Set<TransferId>(),
  anchorId: null,
  focusedId: null,
  revealedId: null,
  hoveredId: null,
  inspectorOpen: true,
  drawer: null,
  dialog: { kind: 'none' },
  question: null,
  notice: null,
  noticeOver: { kind: 'none' },
  toasts: [],
}))
