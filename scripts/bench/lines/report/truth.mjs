const RATE_FROM_SECONDS = 5
const TIME_LEFT_FROM_SECONDS = 10
/** The last seconds don't count: near the end, a second of error is a large part of what is left. */
const LAST_SECONDS = 5
/** Within this time, a run finds and proves what it starts with. */
const FOUND_SECONDS = 5

/** The seconds to the first report of a confirmed byte; NaN without one. */
export function firstConfirmedSeconds(said) {
  return said.find(({ confirmedBytes }) => confirmedBytes > 0)?.atSeconds ?? Number.NaN
}

/**
 * How far the displayed rate was from the line's, as shares of it: the largest and the mean error of the reports after 5
 * seconds, while anything is left to confirm.
 * @param said reports: atSeconds, bytesPerSecond.
 */
export function rateErrors(said, bytesPerSecond, endSeconds) {
  const reports = said.filter(
    (each) =>
      each.bytesPerSecond !== undefined &&
      !(each.confirmedBytes >= each.sizeBytes) &&
      each.atSeconds >= RATE_FROM_SECONDS &&
      each.atSeconds < endSeconds - 1,
  )
  return errors(reports.map((each) => Math.abs(each.bytesPerSecond - bytesPerSecond) / bytesPerSecond))
}

/**
 * The same for the time left, from 10 s on until 5 s before the end. If none was reported, it is computed from size and
 * rate; without a rate, the error is 100 %.
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
 * What each stop cost, in bytes: what crossed the line in a run, minus what it confirmed from its start to its end. The
 * reports of the next run show what was confirmed. Empty for a client that reports nothing.
 */
export function bytesLost(runs, way) {
  const lost = []
  for (let index = 0; index + 1 < runs.length; index += 1) {
    const left = foundAtStart(runs[index + 1], way)
    const begun = index === 0 ? 0 : foundAtStart(runs[index], way)
    if (left === null || begun === null) continue
    const carried = runs[index].samples.at(-1)?.[way] ?? 0
    lost.push(Math.max(0, carried - (left - begun)))
  }
  return lost
}

/**
 * What a run started with: its first report shows what was claimed, and those of the next seconds what else was found
 * and proven, minus what had crossed the line by then. Null without a report.
 */
function foundAtStart({ said, samples }, way) {
  const reports = said.filter(({ confirmedBytes }) => confirmedBytes !== undefined)
  const [first] = reports
  if (first === undefined) return null
  const found = reports
    .filter(({ atSeconds }) => atSeconds <= FOUND_SECONDS)
    .flatMap(({ atSeconds, confirmedBytes }) => {
      const sample = samples.find((each) => each.atSeconds >= atSeconds)
      return sample === undefined ? [] : [confirmedBytes - sample[way]]
    })
  return Math.max(first.confirmedBytes, ...found)
}
