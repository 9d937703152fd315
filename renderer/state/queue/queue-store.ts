import { createStore } from 'zustand/vanilla'
import type { QueueTotals, TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { applyDelta, type StatusChange } from './apply-delta.ts'
import { compactRow } from './compact-row.ts'

/** Rows that were added, removed or reworded, or whose numbers changed; `all`: the list was replaced. */
export type RowChanges = 'all' | { readonly kind: 'reworded' | 'numbers'; readonly ids: readonly TransferId[] }

/** Digits are redrawn at most this often; bars follow every delta. */
const TEXT_INTERVAL_MS = 250

export interface QueueState {
  readonly connected: boolean
  readonly order: readonly TransferId[]
  readonly totals: QueueTotals
  /** Grows with every applied delta. */
  readonly revision: number
  /** Grows when rows are added, removed or reworded, that is, when filters and summaries may change. */
  readonly wording: number
}

const NO_TOTALS: QueueTotals = {
  counts: { all: 0, active: 0, waiting: 0, paused: 0, attention: 0, done: 0 },
  uploadBytesPerSecond: 0,
  downloadBytesPerSecond: 0,
  remainingBytes: 0,
  pausedBytes: 0,
  etaSeconds: null,
}

/**
 * The table of rows. It is mutable and hidden in this module, because rows are read one by one, and a new Map per delta
 * would cost a fifth of a frame at 10,000 rows. The row objects are immutable.
 */
const rows = new Map<TransferId, TransferRow>()
/** The rows as displayed in words: the same objects, but numbers lag by up to TEXT_INTERVAL_MS. */
const drawnRows = new Map<TransferId, TransferRow>()
const undrawn = new Set<TransferId>()
let undrawnTotals: QueueTotals | null = null
let drawTimer: ReturnType<typeof setTimeout> | null = null
const rowListeners = new Set<(changes: RowChanges) => void>()
const statusListeners = new Set<(changes: readonly StatusChange[]) => void>()

export const queueStore = createStore<QueueState>(() => ({
  connected: false,
  order: [],
  totals: NO_TOTALS,
  revision: 0,
  wording: 0,
}))

/** The row as it is now. */
export function liveRow(id: TransferId): TransferRow | undefined {
  return rows.get(id)
}

/** The rows that still exist. */
export function liveRows(ids: readonly TransferId[]): readonly TransferRow[] {
  return ids.flatMap((id) => liveRow(id) ?? [])
}

/** The row as displayed in words. It changes at most four times a second unless its words change. */
export function drawnRow(id: TransferId): TransferRow | undefined {
  return drawnRows.get(id)
}

/** Calls `listener` after every change of status. */
export function onStatusChanges(listener: (changes: readonly StatusChange[]) => void): () => void {
  statusListeners.add(listener)
  return () => statusListeners.delete(listener)
}

/** Calls `listener` with the rows that changed, after the change. */
export function onRowChanges(listener: (changes: RowChanges) => void): () => void {
  rowListeners.add(listener)
  return () => rowListeners.delete(listener)
}

function tellRows(changes: RowChanges): void {
  for (const listener of rowListeners) listener(changes)
}

/** Replaces the list. Returns the rows of the previous list that are not in the new one. */
export function resetQueue(snapshot: TransferSnapshot): readonly TransferId[] {
  const before = queueStore.getState().order
  rows.clear()
  drawnRows.clear()
  undrawn.clear()
  undrawnTotals = null
  if (drawTimer !== null) clearTimeout(drawTimer)
  drawTimer = null
  for (const row of snapshot.rows.map(compactRow)) {
    rows.set(row.id, row)
    drawnRows.set(row.id, row)
  }
  queueStore.setState((state) => ({
    connected: true,
    order: snapshot.rows.map((row) => row.id),
    totals: snapshot.totals,
    revision: state.revision + 1,
    wording: state.wording + 1,
  }))
  tellRows('all')
  return before.filter((id) => !rows.has(id))
}

export function applyToQueue(delta: TransferDelta): void {
  const { order, reworded, progressed, statusChanges } = applyDelta(rows, queueStore.getState().order, delta)
  for (const id of reworded) draw(id)
  for (const id of delta.removed) drawnRows.delete(id)
  for (const id of progressed) undrawn.add(id)
  const recounted = countsDiffer(queueStore.getState().totals, delta.totals)
  undrawnTotals = recounted ? null : delta.totals
  if (undrawn.size > 0 || undrawnTotals !== null) drawTimer ??= setTimeout(drawNumbers, TEXT_INTERVAL_MS)
  const rephrased = reworded.length > 0 || delta.removed.length > 0
  queueStore.setState((state) => ({
    order,
    totals: recounted ? delta.totals : state.totals,
    revision: state.revision + 1,
    wording: rephrased ? state.wording + 1 : state.wording,
  }))
  if (rephrased) tellRows({ kind: 'reworded', ids: [...reworded, ...delta.removed] })
  if (statusChanges.length > 0) for (const listener of statusListeners) listener(statusChanges)
}

function drawNumbers(): void {
  drawTimer = null
  const ids = [...undrawn]
  for (const id of ids) draw(id)
  undrawn.clear()
  const totals = undrawnTotals
  undrawnTotals = null
  queueStore.setState((state) => ({ totals: totals ?? state.totals, revision: state.revision + 1 }))
  if (ids.length > 0) tellRows({ kind: 'numbers', ids })
}

function countsDiffer(before: QueueTotals, after: QueueTotals): boolean {
  const names = Object.keys(after.counts) as (keyof QueueTotals['counts'])[]
  return names.some((name) => before.counts[name] !== after.counts[name])
}

function draw(id: TransferId): void {
  const row = rows.get(id)
  if (row !== undefined) drawnRows.set(id, row)
}
