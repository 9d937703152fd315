import type { Entry } from '../state/objects/listing.ts'

/**
 * By how many rows a list moves down what is to stay where it is. `kept` are indexes before the change, the one that
 * matters most first; the first that is still there counts. 0 if none is. Pure.
 */
export function rowsMoved(before: readonly Entry[], now: readonly Entry[], kept: readonly number[]): number {
  for (const index of kept) {
    const key = before[index]?.key
    if (key === undefined) continue
    if (now[index]?.key === key) return 0
    const found = now.findIndex((entry) => entry.key === key)
    if (found !== -1) return found - index
  }
  return 0
}
