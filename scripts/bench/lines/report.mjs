const MIB = 1024 * 1024
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const percent = ({ largest, mean }) => `${number(largest * 100, 0)}/${number(mean * 100, 0)} %`

/** One run as a line of text. */
export function lineOf(result) {
  const { profile, kind, way, scenario, client, idealSeconds, seconds, sizeBytes, lineBytes } = result
  const stopped =
    result.at === null
      ? ''
      : ` at ${[result.at]
          .flat()
          .map((at) => number(at, 1))
          .join(', ')} s`
  return [
    `${profile} ${kind} ${way} ${scenario}${stopped} ${client} ${number(sizeBytes / MIB, 0)} MiB:`,
    `${number(seconds, 1)} s of ${number(idealSeconds, 1)} (×${number(seconds / idealSeconds, 3)}),`,
    `${number(lineBytes / MIB, 1)} MiB on the line (×${number(lineBytes / sizeBytes, 3)}, ${number((lineBytes - sizeBytes) / MIB, 1)} MiB more),`,
    `first confirmed ${number(result.firstConfirmedSeconds, 1)} s,`,
    `rate off ${percent(result.rateError)}, time left off ${percent(result.timeLeftError)} (largest/mean),`,
    `connections ${result.mostConnections} at once, ${number(result.accepted, 0)} in all`,
    ...(result.failure === null ? [] : [`— ${result.failure}`]),
  ].join(' ')
}
