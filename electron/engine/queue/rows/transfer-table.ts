import { MAX_DELTA_BYTES } from '../../../../shared/limits.ts'
import type { TransferDelta, TransferPatch, TransferSnapshot } from '../../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../../shared/transfer/transfer.ts'
import { createTotalsKeeper } from './queue-totals.ts'

/** All rows in queue order, and what of them has not been told yet. */
export interface TransferTable {
  get(id: TransferId): TransferRow | undefined
  /** A new row goes to the end; a known one is replaced in its place. */
  put(row: TransferRow): void
  /** As `put`, of a row that was there before anything could ask: snapshots have it, and no delta tells it again. */
  load(row: TransferRow): void
  remove(id: TransferId): void
  /**
   * All rows as they are now. The next delta may tell some of it again: folding it in (add or replace, patch, remove)
   * changes nothing then.
   */
  snapshot(): TransferSnapshot
  /** What changed since the last call, up to `MAX_DELTA_BYTES` of JSON, the rest at the next call; null: nothing. */
  takeDelta(): TransferDelta | null
}

/** Room for totals, seq and brackets. */
const ENVELOPE_BYTES = 512

export function createTransferTable(): TransferTable {
  const rows = new Map<TransferId, TransferRow>()
  const totals = createTotalsKeeper()
  const added = new Set<TransferId>()
  const removed = new Set<TransferId>()
  /** Changed rows as they were last told; null: told differently to different receivers, so told whole. */
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
        // Put back before its removal was told: it is told whole, and as nothing else.
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
      // Removed even if never told: a snapshot may have shown it.
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
      // Rows that changed back say nothing.
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
