import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many items are sorted or merged before others get a turn: a few milliseconds, even if comparing is slow. */
const ITEMS_PER_TURN = 10_000

/** Sorts any number of items and lets other work happen meanwhile. Equal items stay in order. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for (let start = 0; start < items.length; start += ITEMS_PER_TURN) {
    if (start > 0) await nextTurn()
    runs.push(items.slice(start, start + ITEMS_PER_TURN).sort(compare))
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergedInTurns(runs[index] ?? [], runs[index + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function mergedInTurns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  const merged: Item[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (fromLeft < left.length && fromRight < right.length) {
    const [one, other] = [left[fromLeft] as Item, right[fromRight] as Item]
    if (compare(one, other) <= 0) {
      merged.push(one)
      fromLeft += 1
    } else {
      merged.push(other)
      fromRight += 1
    }
    if (merged.length % ITEMS_PER_TURN === 0) await nextTurn()
  }
  return [...merged, ...left.slice(fromLeft), ...right.slice(fromRight)]
}
