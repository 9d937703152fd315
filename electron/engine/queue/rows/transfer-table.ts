import { MAX_DELTA_BYTES } from '../../../../shared/limits.ts'
import type { TransferDelta, TransferPatch, TransferSnapshot } from '../../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../../shared/transfer/transfer.ts'
import { createTotalsKeeper } from './queue-totals.ts'

/** All rows in queue order, and which changes have not been told yet. */
export interface TransferTable {
  get(id: TransferId): TransferRow | undefined
  /** Adds a new row at the end, or replaces a known one in its place. */
  put(row: TransferRow): void
  /** Like `put`, for a row that was there before anyone could ask: snapshots have it, and no delta repeats it. */
  load(row: TransferRow): void
  remove(id: TransferId): void
  /**
   * All rows as they are now. The next delta may repeat some of this: folding it in (add or replace, patch, remove)
   * then changes nothing.
   */
  snapshot(): TransferSnapshot
  /** What has changed since the last call, up to `MAX_DELTA_BYTES` of JSON; the rest comes next. Null: nothing. */
  takeDelta(): TransferDelta | null
}

/** Room for totals, seq and brackets. */
const ENVELOPE_BYTES = 512

export function createTransferTable(): TransferTable {
  const rows = new Map<TransferId, TransferRow>()
  const totals = createTotalsKeeper()
  const added = new Set<TransferId>()
  const removed = new Set<TransferId>()
  /** Changed rows as they were last told. Null when receivers were told different things, so the row is told whole. */
  const told = new Map<TransferId, TransferRow | null>()
  let seq = 0

  return {
    get: (id) => rows.get(id),
    put(row) {
      const before = rows.get(row.id) ?? null
      rows.set(row.id, row)
      totals.replace(before, row)
      if (before === null) {
        added.add(row.id)
        // The row was put back before its removal was told: it is told whole, and its removal is not.
        removed.delete(row.id)
      } else if (!added.has(row.id) && !told.has(row.id)) told.set(row.id, before)
    },
    load(row) {
      rows.set(row.id, row)
      totals.replace(null, row)
    },
    remove(id) {
      const row = rows.get(id)
      if (row === undefined) return
      rows.delete(id)
      totals.replace(row, null)
      told.delete(id)
      // The removal is told even if the row never was: a snapshot may have shown it.
      added.delete(id)
      removed.add(id)
    },
    snapshot() {
      for (const id of told.keys()) told.set(id, null)
      return { seq, rows: [...rows.values()], totals: totals.totals() }
    },
    takeDelta() {
      if (added.size + removed.size + told.size === 0) return null
      let leftBytes = MAX_DELTA_BYTES - ENVELOPE_BYTES
      const fits = (item: unknown) => (leftBytes -= Buffer.byteLength(JSON.stringify(item)) + 1) >= 0
      const removedNow = takeWhileFits(removed, (id) => id, fits)
      const addedNow = takeWhileFits(added, (id) => rows.get(id) ?? null, fits)
      const patched = takeWhileFits(told.keys(), (id) => patchOf(id, told.get(id) ?? null, rows.get(id)), fits)
      for (const { id } of removedNow) removed.delete(id)
      for (const { id } of addedNow) added.delete(id)
      for (const { id } of patched) told.delete(id)
      const delta = { added: itemsOf(addedNow), patched: itemsOf(patched), removed: itemsOf(removedNow) }
      // Rows that changed back have no patch.
      if (delta.added.length + delta.patched.length + delta.removed.length === 0) return null
      seq += 1
      return { seq, ...delta, totals: totals.totals() }
    },
  }
}

interface Taken<Item> {
  readonly id: TransferId
  readonly item: Item | null
}

function takeWhileFits<Item>(
  ids: Iterable<TransferId>,
  toItem: (id: TransferId) => Item | null,
  fits: (item: Item) => boolean,
): readonly Taken<Item>[] {
  const taken: Taken<Item>[] = []
  for (const id of ids) {
    const item = toItem(id)
    if (item !== null && !fits(item)) break
    taken.push({ id, item })
  }
  return taken
}

function itemsOf<Item>(taken: readonly Taken<Item>[]): readonly Item[] {
  return taken.flatMap(({ item }) => (item === null ? [] : [item]))
}

function patchOf(id: TransferId, before: TransferRow | null, after: TransferRow | undefined): TransferPatch | null {
  if (after === undefined) return null
  if (before === null) return after
  const entries = Object.entries(after) as [keyof TransferRow, TransferRow[keyof TransferRow]][]
  const changed = entries.filter(([name, value]) => before[name] !== value)
  return changed.length === 0 ? null : { id, ...Object.fromEntries(changed) }
}
