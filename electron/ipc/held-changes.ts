import type { TransferDelta, TransferPatch } from '../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'

/** Deltas that wait for the window to become visible. */
export interface HeldChanges {
  readonly add: (delta: TransferDelta) => void
  /** Takes all waiting deltas as one with the same effect; null when there are none. */
  readonly take: () => TransferDelta | null
  readonly isEmpty: () => boolean
}

/** Folds deltas into one, so an hour out of sight costs no more than its final state. */
export function createHeldChanges(): HeldChanges {
  let latest: TransferDelta | null = null
  const added = new Map<TransferId, TransferRow>()
  const patched = new Map<TransferId, TransferPatch>()
  const removed = new Set<TransferId>()

  return {
    add(delta) {
      latest = delta
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
    take() {
      const delta = latest && {
        ...latest,
        added: [...added.values()],
        patched: [...patched.values()],
        removed: [...removed],
      }
      latest = null
      added.clear()
      patched.clear()
      removed.clear()
      return delta
    },
    isEmpty: () => latest === null,
  }
}
