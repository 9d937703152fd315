/** The most samples of a transfer's whole life. Beyond that, each is made to stand for twice as long. */
export const MAX_LIFE_SAMPLES = 120

/**
 * Speeds over a whole life, bytes a second, oldest first. A null is a gap of any length in which nothing was to move;
 * every other sample stands for `stepMs`, a power of two in seconds. Immutable.
 */
export interface SpeedSeries {
  readonly stepMs: number
  readonly samples: readonly (number | null)[]
  /** The unfinished sample: the sum of this many seconds. */
  readonly sum: number
  readonly seconds: number
}

export const NO_SPEED: SpeedSeries = { stepMs: 1000, samples: [], sum: 0, seconds: 0 }

/** Adds one second to the series; null when nothing was to move. Keeps at most `MAX_LIFE_SAMPLES`. Pure. */
export function addSecond(series: SpeedSeries, bytesPerSecond: number | null): SpeedSeries {
  if (bytesPerSecond === null) {
    const { samples } = endSample(series)
    const isGap = samples.length === 0 || samples.at(-1) === null
    return thinned({ ...series, samples: isGap ? samples : [...samples, null], sum: 0, seconds: 0 })
  }
  const grown = { ...series, sum: series.sum + bytesPerSecond, seconds: series.seconds + 1 }
  return grown.seconds * 1000 < grown.stepMs ? grown : thinned(endSample(grown))
}

/** The samples to show or keep, including the unfinished one. Pure. */
export function samplesOf(series: SpeedSeries): readonly (number | null)[] {
  return thinned(endSample(series)).samples
}

/** Joins two series, with a gap between them. Pure. */
export function joinSeries(before: SpeedSeries, after: SpeedSeries): SpeedSeries {
  if (before.samples.length === 0) return after
  let [first, second] = [endSample(before), endSample(after)]
  while (first.stepMs < second.stepMs) first = halved(first)
  while (second.stepMs < first.stepMs) second = halved(second)
  const gap = first.samples.at(-1) === null || second.samples[0] === null ? [] : [null]
  return thinned({ ...first, samples: [...first.samples, ...gap, ...second.samples] })
}

function endSample(series: SpeedSeries): SpeedSeries {
  const { samples, sum, seconds } = series
  return seconds === 0 ? series : { ...series, samples: [...samples, Math.round(sum / seconds)], sum: 0, seconds: 0 }
}

function thinned(series: SpeedSeries): SpeedSeries {
  let fitting = series
  while (fitting.samples.length > MAX_LIFE_SAMPLES) fitting = halved(fitting)
  return fitting
}

/** Merges samples in pairs. A gap paired with a speed is lost: the mean is that of the seconds in which bytes moved. */
function halved({ stepMs, samples, ...rest }: SpeedSeries): SpeedSeries {
  const pairs = Array.from({ length: Math.ceil(samples.length / 2) }, (_, index) =>
    samples.slice(2 * index, 2 * index + 2).filter((sample) => sample !== null),
  )
  const means = pairs.map((pair) =>
    pair.length === 0 ? null : Math.round(pair.reduce((sum, sample) => sum + sample, 0) / pair.length),
  )
  return { ...rest, stepMs: 2 * stepMs, samples: means }
}
