/**
 * The first index from `from` on, below `to`, at which `isReached`, or `to` if there is none. At all indexes behind one
 * at which it is, it must be, too. Asks few times (binary search). Pure.
 */
export function firstIndex(from: number, to: number, isReached: (index: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
