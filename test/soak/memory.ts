/** What a process took at a moment of the run. */
export interface MemorySample {
  readonly atMs: number
  readonly bytes: number
}

export interface MemoryGrowth {
  readonly medianBytes: number
  /** What the slope comes to over the time that counts; negative where it shrinks. */
  readonly growthBytes: number
}

/** Fewer say nothing. */
const LEAST_SAMPLES = 8

/**
 * The slope of a process's memory by Theil and Sen, the median of the slopes between any two samples: a few that lie
 * far out don't move it. The first third of the run is left out, in which pools and caches fill. Null: too few samples.
 * Pure.
 */
export function growthOf(samples: readonly MemorySample[]): MemoryGrowth | null {
  const settled = samples.slice(Math.ceil(samples.length / 3))
  const [first, last] = [settled.at(0), settled.at(-1)]
  if (first === undefined || last === undefined || settled.length < LEAST_SAMPLES) return null
  const slopes = settled.flatMap((one, index) =>
    settled.slice(index + 1).map((other) => (other.bytes - one.bytes) / (other.atMs - one.atMs)),
  )
  return {
    medianBytes: medianOf(settled.map(({ bytes }) => bytes)),
    growthBytes: medianOf(slopes) * (last.atMs - first.atMs),
  }
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
