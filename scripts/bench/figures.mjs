/** The middle one; of an even count the better of the two. */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
}

/** One row's medians over its runs that succeeded, and what went wrong in the others. */
export function summarize({ name, label, isOurs = false, runs }) {
  const good = runs.filter(({ failure }) => failure === null)
  const of = (field) => median(good.map((run) => run[field]).filter((value) => Number.isFinite(value)))
  const failures = runs.filter(({ failure }) => failure !== null)
  return {
    name,
    label,
    isOurs,
    runs: good.length,
    seconds: of('seconds'),
    cpuSeconds: of('cpuSeconds'),
    peakBytes: Math.max(...good.map((run) => run.peakBytes ?? Number.NaN)),
    againBytes: of('againBytes'),
    slowdown: of('slowdown'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    maxMs: of('maxMs'),
    idleBytes: of('idleBytes'),
    strays: of('strays'),
    failure: failures.length === 0 ? null : `${failures.length} of ${runs.length}: ${failures[0].failure}`,
  }
}

/** The least of a figure among the peers that told it; `of` narrows it down to one of them. */
export function bestPeer(rows, field, of) {
  const peers = rows.filter((row) => !row.isOurs && Number.isFinite(row[field]) && (!of || row.name === of))
  return peers.sort((one, other) => one[field] - other[field])[0] ?? null
}
