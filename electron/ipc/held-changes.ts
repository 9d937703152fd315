import type { TransferDelta, TransferPatch } from '../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'

/** The members of a row that change all the time while bytes move. */
const PROGRESS: ReadonlySet<string> = new Set<keyof TransferRow>([
  ...(['sizeBytes', 'confirmedBytes', 'inFlightBytes', 'bytesPerSecond', 'etaSeconds', 'activeMs'] as const),
  ...(['unitsDone', 'unitsTotal', 'items'] as const),
])

/** Deltas that wait until the window is to be told. */
export interface HeldChanges {
  readonly add: (delta: TransferDelta) => void
  /** Takes all waiting deltas as one with the same effect; null when there are none. */
  readonly take: () => TransferDelta | null
  readonly isEmpty: () => boolean
  /** Whether anything but progress has changed: rows came or went, or have another status, wait, error or name. */
  readonly isUrgent: () => boolean
}

/** Folds deltas into one, so an hour out of sight costs no more than its final state. */
export function createHeldChanges(): HeldChanges {
  let latest: TransferDelta | null = null
  let isUrgent = false
  const added = new Map<TransferId, TransferRow>()
  const patched = new Map<TransferId, TransferPatch>()
  const removed = new Set<TransferId>()

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
    take() {
      const delta = latest && {
        ...latest,
        added: [...added.values()],
        patched: [...patched.values()],
        removed: [...removed],
      }
      latest = null
      isUrgent = false
      added.clear()
      patched.clear()
      removed.clear()
      return delta
    },
    isEmpty: () => latest === null,
    isUrgent: () => isUrgent,
  }
}

function isOnlyProgress({ added, patched, removed }: TransferDelta): boolean {
  if (added.length > 0 || removed.length > 0) return false
  return patched.every((patch) => Object.keys(patch).every((name) => name === 'id' || PROGRESS.has(name)))
}
