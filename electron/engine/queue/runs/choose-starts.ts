// Whose turn it is. Pure; `run-pool.ts` starts what this chooses.

import type { Schedulable } from '../../transfer/transfer-entry.ts'

/** What there is room for. */
export interface Room<T extends Schedulable> {
  readonly slots: number
  /** Whether its line has room for one more, besides those that were chosen before it. */
  readonly onLine: (item: T, chosen: readonly T[]) => boolean
}

/** Those that start next. */
export interface Starts<T extends Schedulable> {
  readonly chosen: readonly T[]
  /** Some are passed over because their line has no room, though slots are free. */
  readonly isHeldBack: boolean
}

/** No further than this is looked for one that may pass those before it. */
const LOOK_AHEAD = 1000

/**
 * Which queued transfers start now, in queue order. One whose key or target is busy, or whose line is full, is passed
 * over, not blocking those behind it. Looks no further into `queued` than it must. Pure.
 */
export function chooseStarts<T extends Schedulable>(
  queued: Iterable<T>,
  busyKeys: { has(key: string): boolean },
  { slots, onLine }: Room<T>,
): Starts<T> {
  const chosen: T[] = []
  const taken = new Set<string>()
  let passed = 0
  if (slots <= 0) return { chosen, isHeldBack: false }
  for (const item of queued) {
    if (busyKeys.has(item.exclusiveKey) || taken.has(item.exclusiveKey)) continue
    if (onLine(item, chosen)) {
      taken.add(item.exclusiveKey)
      chosen.push(item)
      if (chosen.length === slots) return { chosen, isHeldBack: false }
    } else {
      passed += 1
      if (passed === LOOK_AHEAD) break
    }
  }
  return { chosen, isHeldBack: passed > 0 }
}
