import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { Schedulable } from '../../transfer/transfer-entry.ts'

/** The queued transfers, first in line first. */
export interface WaitingLine<T extends Schedulable & { readonly position: number }> extends Iterable<T> {
  add(item: T): void
  delete(id: TransferId): void
  readonly size: number
}

/** Sorts only when something was added out of order, for example a paused transfer that is resumed. */
export function createWaitingLine<T extends Schedulable & { readonly position: number }>(): WaitingLine<T> {
  let items = new Map<TransferId, T>()
  let lastPosition = -Infinity
  let isSorted = true
  return {
    add(item) {
      if (item.position < lastPosition) isSorted = false
      lastPosition = Math.max(lastPosition, item.position)
      items.set(item.id, item)
    },
    delete(id) {
      items.delete(id)
      if (items.size === 0) lastPosition = -Infinity
    },
    get size() {
      return items.size
    },
    [Symbol.iterator]() {
      if (!isSorted) items = new Map([...items].sort(([, a], [, b]) => a.position - b.position))
      isSorted = true
      return items.values()
    },
  }
}
