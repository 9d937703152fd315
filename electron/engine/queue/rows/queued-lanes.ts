import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { Schedulable } from '../../transfer/transfer-entry.ts'

/** What can be queued. */
export type Queued = Schedulable & {
  /** Queue order, ascending. */
  readonly position: number
}

/** The queued transfers, in lanes: whatever holds up one transfer of a lane also holds up the others in it. */
export interface QueuedLanes<T extends Queued> {
  add(item: T): void
  delete(id: TransferId): void
  readonly size: number
  /** The lanes that are not empty, each in order of position. */
  lanes(): readonly Iterable<T>[]
}

/** @param laneOf tells in which lane a transfer is; called once, when it is added. */
export function createQueuedLanes<T extends Queued>(laneOf: (item: T) => string): QueuedLanes<T> {
  const lanes = new Map<string, Lane<T>>()
  const keys = new Map<TransferId, string>()

  function leave(id: TransferId): void {
    const key = keys.get(id)
    const lane = key === undefined ? undefined : lanes.get(key)
    if (key === undefined || lane === undefined) return
    keys.delete(id)
    lane.delete(id)
    if (lane.size === 0) lanes.delete(key)
  }

  return {
    add(item) {
      leave(item.id)
      const key = laneOf(item)
      const lane = lanes.get(key) ?? new Lane<T>()
      lanes.set(key, lane)
      keys.set(item.id, key)
      lane.add(item)
    },
    delete: leave,
    get size() {
      return keys.size
    },
    lanes: () => [...lanes.values()],
  }
}

/** A lane. Sorts only when something was added out of order, for example a paused transfer that was resumed. */
class Lane<T extends Queued> implements Iterable<T> {
  #items = new Map<TransferId, T>()
  #lastPosition = -Infinity
  #isSorted = true

  get size(): number {
    return this.#items.size
  }

  add(item: T): void {
    if (item.position < this.#lastPosition) this.#isSorted = false
    this.#lastPosition = Math.max(this.#lastPosition, item.position)
    this.#items.set(item.id, item)
  }

  delete(id: TransferId): void {
    this.#items.delete(id)
  }

  [Symbol.iterator](): Iterator<T> {
    if (!this.#isSorted) this.#items = new Map([...this.#items].sort(([, a], [, b]) => a.position - b.position))
    this.#isSorted = true
    return this.#items.values()
  }
}
