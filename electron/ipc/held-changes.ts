import type { TransferDelta, TransferPatch } from '../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'

/** How often the window is told of mere progress, milliseconds. More often costs it twice the work, unseen. */
const PROGRESS_INTERVAL_MS = 100
/** The members of a row that change all the time while bytes move. */
const PROGRESS: ReadonlySet<string> = new Set<keyof TransferRow>([
  ...(['sizeBytes', 'confirmedBytes', 'inFlightBytes', 'bytesPerSecond', 'etaSeconds', 'activeMs'] as const),
  ...(['unitsDone', 'unitsTotal', 'items'] as const),
])

/** Deltas that wait until the window is to be told. */
export interface HeldChanges {
  readonly add: (delta: TransferDelta) => void
  /**
   * Takes all waiting deltas as one with the same effect; null while there are none, or nothing but progress that may
   * still wait. `nowMs`: monotonic milliseconds.
   */
  readonly takeDue: (nowMs: number) => TransferDelta | null
  readonly clear: () => void
  readonly isEmpty: () => boolean
}

/** Folds deltas into one, so an hour out of sight costs no more than its final state. */
export function createHeldChanges(): HeldChanges {
  let latest: TransferDelta | null = null
  /** Something other than progress has changed: rows came or went, or have another status, wait, error or name. */
  let isUrgent = false
  let takenAtMs = -Infinity
  const added = new Map<TransferId, TransferRow>()
  const patched = new Map<TransferId, TransferPatch>()
  const removed = new Set<TransferId>()

  function clear(): void {
    latest = null
    isUrgent = false
    added.clear()
    patched.clear()
    removed.clear()
  }

  return {
    add(delta) {
      latest = delta
      isUrgent ||= !isOnlyProgress(delta)
      for (const row of delta.added) {
        added.set(row.id, row)
        patched.delete(row.id)
        removed.delete(row.id)
      }
      for (const patch of delta.patched) {
        const row = added.get(patch.id)
        if (row === undefined) patched.set(patch.id, { ...patched.get(patch.id), ...patch })
        else added.set(patch.id, { ...row, ...patch })
      }
      for (const id of delta.removed) {
        added.delete(id)
        patched.delete(id)
        removed.add(id)
      }
    },
    takeDue(nowMs) {
      if (latest === null || (!isUrgent && nowMs - takenAtMs < PROGRESS_INTERVAL_MS)) return null
      const delta = {
        ...latest,
        added: [...added.values()],
        patched: [...patched.values()],
        removed: [...removed],
      }
      takenAtMs = nowMs
      clear()
      return delta
    },
    clear,
    isEmpty: () => latest === null,
  }
}

function isOnlyProgress({ added, patched, removed }: TransferDelta): boolean {
  if (added.length > 0 || removed.length > 0) return false
  return patched.every((patch) => Object.keys(patch).every((name) => name === 'id' || PROGRESS.has(name)))
}
