/** Rounds up to 1, 2 or 5 times a power of ten, so that the scale changes rarely. Pure. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return step * power
}

export interface Lines {
  readonly line: string
  readonly area: string
}

/**
 * Samples as SVG paths in a box of `width` by `height`, the latest at the right edge, with gaps where nothing was to
 * move. Pure.
 * @param slots how many samples fill the width
 */
export function sparklinePaths(
  samples: readonly (number | null)[],
  slots: number,
  max: number,
  width: number,
  height: number,
): Lines {
  const offset = slots - samples.length
  const x = (index: number) => (((index + offset) / (slots - 1)) * width).toFixed(1)
  const y = (value: number) => (height - (Math.min(value, max) / max) * height).toFixed(1)
  const runs = runsOf(samples)
  const points = runs.map(({ start, values }) => values.map((value, index) => `${x(start + index)} ${y(value)}`))
  const line = points.map((run) => `M${run.join('L')}`).join('')
  const area = runs
    .map(({ start, values }, index) => {
      const floor = String(height)
      const run = points[index]?.join('L') ?? ''
      return `M${x(start)} ${floor}L${run}L${x(start + values.length - 1)} ${floor}Z`
    })
    .join('')
  return { line, area }
}

interface Run {
  readonly start: number
  readonly values: number[]
}

function runsOf(samples: readonly (number | null)[]): readonly Run[] {
  const runs: Run[] = []
  samples.forEach((value, index) => {
    if (value === null) return
    const last = runs.at(-1)
    if (last !== undefined && last.start + last.values.length === index) last.values.push(value)
    else runs.push({ start: index, values: [value] })
  })
  return runs
}
