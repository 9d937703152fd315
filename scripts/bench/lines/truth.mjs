const RATE_FROM_SECONDS = 5
const TIME_LEFT_FROM_SECONDS = 10
/** Near the end a second of error is a great part of what is left. */
const LAST_SECONDS = 5

/** Seconds to the first report of a confirmed byte; NaN without one. */
export function firstConfirmedSeconds(said) {
  return said.find(({ confirmedBytes }) => confirmedBytes > 0)?.atSeconds ?? Number.NaN
}

/**
 * How far the rate that was shown lay from the line's, as shares of it: the largest and the mean of the reports from 5
 * s on.
 * @param said reports: atSeconds, bytesPerSecond.
 */
export function rateErrors(said, bytesPerSecond, endSeconds) {
  const reports = said.filter(
    (each) =>
      each.bytesPerSecond !== undefined && each.atSeconds >= RATE_FROM_SECONDS && each.atSeconds < endSeconds - 1,
  )
  return errors(reports.map((each) => Math.abs(each.bytesPerSecond - bytesPerSecond) / bytesPerSecond))
}

/**
 * The same of the time left, from 10 s to 5 s before the end. Where none was told it is what size and rate come to, and
 * without a rate it is off by all of it.
 */
export function timeLeftErrors(said, endSeconds) {
  const reports = said.filter(
    ({ sizeBytes, atSeconds }) =>
      sizeBytes > 0 && atSeconds >= TIME_LEFT_FROM_SECONDS && atSeconds < endSeconds - LAST_SECONDS,
  )
  return errors(
    reports.map((each) => {
      const left = endSeconds - each.atSeconds
      const shown = shownTimeLeft(each)
      return shown === null ? 1 : Math.abs(shown - left) / left
    }),
  )
}

function shownTimeLeft({ etaSeconds, sizeBytes, confirmedBytes, bytesPerSecond }) {
  if (etaSeconds !== undefined) return etaSeconds
  return bytesPerSecond > 0 ? (sizeBytes - confirmedBytes) / bytesPerSecond : null
}

function errors(shares) {
  if (shares.length === 0) return { largest: Number.NaN, mean: Number.NaN }
  return { largest: Math.max(...shares), mean: shares.reduce((sum, share) => sum + share, 0) / shares.length }
}

/**
 * What each stop cost, bytes: what crossed the line in a run less what its end left confirmed beyond its start. The
 * next run's first report tells what was left. Empty for a client that reports nothing.
 */
export function bytesLost(runs, way) {
  const lost = []
  for (let index = 0; index + 1 < runs.length; index += 1) {
    const left = confirmedAtStart(runs[index + 1].said)
    const begun = index === 0 ? 0 : confirmedAtStart(runs[index].said)
    if (left === null || begun === null) continue
    const carried = runs[index].samples.at(-1)?.[way] ?? 0
    lost.push(Math.max(0, carried - (left - begun)))
  }
  return lost
}

/** Null without a report. */
function confirmedAtStart(said) {
  return said.find(({ confirmedBytes }) => confirmedBytes !== undefined)?.confirmedBytes ?? null
}
