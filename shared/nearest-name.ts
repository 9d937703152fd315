/** More changes than this are another name, not a slip of the fingers. */
const MOST_CHANGES = 2

/**
 * The one name that `typed` was probably meant to be: a letter or two are wrong, missing, extra or swapped. Null when
 * there is none, or more than one. Pure.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const most = Math.min(MOST_CHANGES, Math.floor((typed.length - 1) / 2))
  const near = names
    .map((name) => ({ name, changes: changesBetween(typed, name) }))
    .filter((each) => each.changes <= most)
  const least = Math.min(...near.map(({ changes }) => changes))
  const [nearest, ...others] = near.filter(({ changes }) => changes === least)
  return nearest === undefined || others.length > 0 ? null : nearest.name
}

/** How many letters differ (optimal string alignment). Infinity when the lengths alone differ by too much. */
function changesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_CHANGES) return Infinity
  let before: readonly number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      now[column] = Math.min(
        (above[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    before = above
    above = now
  }
  return above[other.length] ?? 0
}
