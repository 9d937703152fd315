// Whose turn it is. Pure; `run-pool.ts` starts what this chooses.

import type { Waiting } from '../rows/waiting-line.ts'

/** What there is room for. */
export interface Room<T extends Waiting> {
  readonly slots: number
  /** Whether its line has room for one more, besides those that were chosen before it. */
  readonly onLine: (item: T, chosen: readonly T[]) => boolean
}

/** Those that start next. */
export interface Starts<T extends Waiting> {
  readonly chosen: readonly T[]
  /** Some are passed over because their line has no room, though slots are free. */
  readonly isHeldBack: boolean
}

/** So many of a lane are passed over before the rest of it is not looked at. */
const LOOK_AHEAD = 1000

/**
 * Which queued transfers start now, in queue order. One whose key or target is busy, or whose line is full, is passed
 * over, not blocking those behind it, in its lane or in others. Looks no further into `lanes` than it must; each is in
 * queue order. Pure.
 */
export function chooseStarts<T extends Waiting>(
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

/** How far a lane was looked into. */
class Cursor<T> {
  readonly #items: Iterator<T>
  #passed = 0
  /** The next of the lane; undefined: no further one is looked at. */
  item: T | undefined

  constructor(lane: Iterable<T>) {
    this.#items = lane[Symbol.iterator]()
    this.next()
  }

  next(): void {
    const next = this.#items.next()
    this.item = next.done === true ? undefined : next.value
  }

  /** The same, over one that has to wait. */
  pass(): void {
    this.#passed += 1
    if (this.#passed < LOOK_AHEAD) this.next()
    else this.item = undefined
  }
}

/** The one whose item is first in the queue; undefined: none has any. */
function first<T extends Waiting>(cursors: readonly Cursor<T>[]): Cursor<T> | undefined {
  let found: Cursor<T> | undefined
  for (const cursor of cursors) {
    if (cursor.item === undefined) continue
    if (found?.item === undefined || cursor.item.position < found.item.position) found = cursor
  }
  return found
}
