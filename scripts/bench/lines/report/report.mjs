const MIB = 1024 * 1024

/** A figure, or a dash if there is none. */
export const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '–')

/** The largest and the mean error. */
export const percent = ({ largest, mean }) => `${number(largest * 100, 0)}/${number(mean * 100, 0)} %`

/** The most connections at a time, and the number opened in all. */
export const connectionsWords = ({ mostConnections, accepted }) =>
  `${number(mostConnections, 0)}, ${number(accepted, 0)} in all`

/** One run as a line of text. */
export function lineOf(result) {
  const { profile, kind, way, scenario, client, seconds, sizeBytes } = result
  const head = `${profile} ${kind} ${way} ${scenario} ${client} ${number(sizeBytes / MIB, 0)} MiB:`
  const end = result.failure === null ? '' : ` — ${result.failure}`
  if (result.share !== undefined) {
    const connections = `${number(result.mostConnections, 0)} connections`
    return `${head} ${number(seconds, 1)} s, a parallel curl keeps ${number(result.share * 100, 0)} %, ${connections}${end}`
  }
  const { idealSeconds, lineBytes } = result
  const more = (lineBytes - sizeBytes) / MIB
  const lost = result.lostBytes.map((bytes) => number(bytes / MIB, 1)).join(', ')
  const stops = result.stops.map((at) => number(at, 1)).join(', ')
  return [
    ...[head, `${number(seconds, 1)} s of ${number(idealSeconds, 1)} (×${number(seconds / idealSeconds, 3)}),`],
    `${number(lineBytes / MIB, 1)} MiB on the line (×${number(lineBytes / sizeBytes, 3)}, ${number(more, 1)} more),`,
    ...(result.stops.length === 0 ? [] : [`stopped after ${stops} s, lost ${lost || '–'} MiB,`]),
    `first confirmed ${number(result.firstConfirmedSeconds, 1)} s,`,
    `rate off ${percent(result.rateError)}, time left off ${percent(result.timeLeftError)} (largest/mean),`,
    `connections ${connectionsWords(result)}${end}`,
  ].join(' ')
}
