/** How many rows a bulk command handles before other work gets its turn: this takes some milliseconds. */
const ROWS_AT_A_TIME = 500

/** The same items in batches. */
export function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS_AT_A_TIME) yield items.slice(start, start + ROWS_AT_A_TIME)
}
