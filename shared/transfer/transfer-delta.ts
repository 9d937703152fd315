import type { TransferId, TransferRow } from './transfer.ts'

/** Totals of the whole queue, computed in main so that the window never has to walk all rows. */
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
  /** Unconfirmed bytes of the transfers that are neither final nor failed. */
  readonly remainingBytes: number
  /** The part of `remainingBytes` that belongs to paused transfers. */
  readonly pausedBytes: number
  readonly etaSeconds: number | null
}

/** The changed members of one row. */
export type TransferPatch = { readonly id: TransferId } & Partial<Omit<TransferRow, 'id'>>

/** The whole queue at `seq`. Of a long one the window gets the first page of 256 KB, then deltas that add the rest. */
export interface TransferSnapshot {
  readonly seq: number
  readonly rows: readonly TransferRow[]
  readonly totals: QueueTotals
  /** Set while a long list is still being read: these are its first rows, and the window must ask again. */
  readonly isFirstLook?: true
}

/** What changed since `seq - 1`. A receiver that misses a delta requests a snapshot again. */
export interface TransferDelta {
  readonly seq: number
  /** New rows, appended to the end of the queue in this order. */
  readonly added: readonly TransferRow[]
  readonly patched: readonly TransferPatch[]
  readonly removed: readonly TransferId[]
  readonly totals: QueueTotals
}
