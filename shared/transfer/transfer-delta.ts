import type { TransferId, TransferRow } from './transfer.ts'

/** Numbers of the whole queue, computed in main so that the window never walks all rows. */
export interface QueueTotals {
  readonly counts: {
    readonly all: number
    readonly active: number
    readonly waiting: number
    readonly paused: number
    readonly attention: number
    readonly done: number
  }
  readonly uploadBytesPerSecond: number
  readonly downloadBytesPerSecond: number
  /** Bytes not yet confirmed of the transfers that are neither final nor failed. */
  readonly remainingBytes: number
  /** Those of the paused ones among them. */
  readonly pausedBytes: number
  readonly etaSeconds: number | null
}

/** The changed members of one row. */
export type TransferPatch = { readonly id: TransferId } & Partial<Omit<TransferRow, 'id'>>

/** The whole queue at `seq`; what the window gets of a long one is its first page of 256 KB, and deltas that add rows. */
export interface TransferSnapshot {
  readonly seq: number
  readonly rows: readonly TransferRow[]
  readonly totals: QueueTotals
  /** These are the first rows of a long list, which is still being read: ask again. */
  readonly isFirstLook?: true
}

/** What changed since `seq - 1`. A receiver that misses one asks for a snapshot again. */
export interface TransferDelta {
  readonly seq: number
  /** New rows, appended to the end of the queue in this order. */
  readonly added: readonly TransferRow[]
  readonly patched: readonly TransferPatch[]
  readonly removed: readonly TransferId[]
  readonly totals: QueueTotals
}
