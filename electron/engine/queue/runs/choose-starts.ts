// Chooses whose turn it is. Pure; `run-pool.ts` starts what this chooses.

import type { Queued } from '../rows/queued-lanes.ts'

/** How much room there is. */
export interface Room<T extends Queued> {
  readonly slots: number
  /** Whether an item's line has room for it, besides those chosen before it. */
  readonly onLine: (item: T, chosen: readonly T[]) => boolean
}

/** The transfers that start next. */
export interface Starts<T extends Queued> {
  readonly chosen: readonly T[]
  /** Whether some are passed over because their line has no room, although slots are free. */
  readonly isHeldBack: boolean
}

/** After this many transfers of a lane are passed over, the rest of the lane is not looked at. */
const LOOK_AHEAD = 1000

/**
 * Chooses which queued transfers start now, in queue order. A transfer whose key or target is busy, or whose line is
 * full, is passed over and blocks none behind it, in its lane or in others. Looks no further into `lanes` than it must;
 * each is in queue order. Pure.
 */
export function chooseStarts<T extends Queued>(
  lanes: readonly Iterable<T>[],
  busyKeys: { has(key: string): boolean },
  { slots, onLine }: Room<T>,
): Starts<T> {
  const chosen: T[] = []
  const taken = new Set<string>()
  let isHeldBack = false
  if (slots <= 0) return { chosen, isHeldBack }
  const cursors = lanes.map((lane) => new Cursor(lane))
  for (let cursor = first(cursors); cursor?.item !== undefined; cursor = first(cursors)) {
    const { item } = cursor
    if (busyKeys.has(item.exclusiveKey) || taken.has(item.exclusiveKey)) {
      cursor.next()
    } else if (onLine(item, chosen)) {
      taken.add(item.exclusiveKey)
      chosen.push(item)
      if (chosen.length === slots) return { chosen, isHeldBack: false }
      cursor.next()
    } else {
      isHeldBack = true
      cursor.pass()
    }
  }
  return { chosen, isHeldBack }
}

/** How far a lane has been looked into. */
class Cursor<T> {
  readonly #items: Iterator<T>
  #passed = 0
  /** The lane's next item; undefined when no further one is looked at. */
  item: T | undefined

  constructor(lane: Iterable<T>) {
    this.#items = lane[Symbol.iterator]()
    this.next()
  }

  next(): void {
    const next = this.#items.next()
    this.item = next.done === true ? undefined : next.value
  }

  /** Goes on to the next item, like `next`, because this one has to wait. */
  pass(): void {
    this.#passed += 1
    if (this.#passed < LOOK_AHEAD) this.next()
    else this.item = undefined
  }
}

/** The cursor whose item comes first in the queue; undefined when none has an item. */
function first<T extends Queued>(cursors: readonly Cursor<T>[]): Cursor<T> | undefined {
  let found: Cursor<T> | undefined
  for (const cursor of cursors) {
    if (cursor.item === undefined) continue
    if (found?.item === undefined || cursor.item.position < found.item.position) found = cursor
  }
  return found
}
