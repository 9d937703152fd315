/** With fewer runs per client, no difference can be significant: with 4 and 4, the lowest possible p is 0.03. */
const LEAST_RUNS = 4
/** A difference counts if chance alone would cause it less often than this. */
const ALPHA = 0.05
/** If there are more ways to divide the runs than this, they aren't enumerated. */
const MOST_WAYS = 200_000

/** The middle value; for an even count, the better of the two middle ones. */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
}

/** The median, the least and the most. */
export function spreadOf(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

/**
 * Whether two clients differ in a figure, by the Mann–Whitney test, which assumes nothing about the distribution:
 * 'less', 'more', 'no difference', or 'unknown' if there are too few runs.
 */
export function compare(ours, theirs) {
  if (ours.length < LEAST_RUNS || theirs.length < LEAST_RUNS) return 'unknown'
  if (probability(ours, theirs) >= ALPHA) return 'no difference'
  return meanOf(ranksOf(ours, theirs).slice(0, ours.length)) < (ours.length + theirs.length + 1) / 2 ? 'less' : 'more'
}

/** How often chance alone would divide the ranks at least as unevenly, if both were the same (two-sided). */
export function probability(ours, theirs) {
  const ranks = ranksOf(ours, theirs)
  const expected = (ours.length * (ranks.length + 1)) / 2
  const seen = Math.abs(sumOf(ranks.slice(0, ours.length)) - expected)
  return waysToChoose(ours.length, ranks.length) <= MOST_WAYS
    ? exactly(ranks, ours.length, expected, seen)
    : nearly(ranks, ours.length, theirs.length, seen)
}

/** Enumerates all ways to choose `count` of the runs as ours. */
function exactly(ranks, count, expected, seen) {
  let all = 0
  let asUneven = 0
  const visit = (index, left, sum) => {
    if (left === 0) {
      all += 1
      if (Math.abs(sum - expected) >= seen - 1e-9) asUneven += 1
      return
    }
    if (ranks.length - index < left) return
    visit(index + 1, left - 1, sum + ranks[index])
    visit(index + 1, left, sum)
  }
  visit(0, count, 0)
  return asUneven / all
}

/** Uses the normal distribution, which is close enough for many runs. */
function nearly(ranks, ours, theirs, seen) {
  const deviation = Math.sqrt((ours * theirs * (ours + theirs + 1)) / 12)
  const z = Math.max(0, seen - 0.5) / deviation
  // Abramowitz and Stegun, 26.2.17: off by 7.5e-8 at most.
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return Math.min(1, 2 * tail * (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)))
}

/** The rank of each run among all, ours first; equal runs share a rank. */
function ranksOf(ours, theirs) {
  const all = [...ours, ...theirs]
  return all.map(
    (value) => all.filter((other) => other < value).length + (all.filter((other) => other === value).length + 1) / 2,
  )
}

function waysToChoose(count, all) {
  let ways = 1
  for (let index = 1; index <= count; index += 1) ways = (ways * (all - count + index)) / index
  return ways
}

function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanOf(values) {
  return sumOf(values) / values.length
}
