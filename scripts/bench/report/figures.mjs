import { median, spreadOf } from './statistics.mjs'

const FIGURES = [
  ...['seconds', 'cpuSeconds', 'againBytes', 'slowdown', 'strays'],
  ...['p50Ms', 'p95Ms', 'p99Ms', 'maxMs', 'idleBytes', 'mainBytes', 'windowBytes'],
]

/**
 * Summarizes a row: the medians of its successful runs, each run's figures in `all`, their range in `spread`, and what
 * went wrong in the other runs.
 */
export function summarize({ name, label, isOurs = false, runs }) {
  const good = runs.filter(({ failure }) => failure === null)
  const failures = runs.filter(({ failure }) => failure !== null)
  const valuesOf = (field) => good.map((run) => run[field]).filter((value) => Number.isFinite(value))
  const all = Object.fromEntries(FIGURES.map((field) => [field, valuesOf(field)]))
  return {
    name,
    label,
    isOurs,
    runs: good.length,
    ...Object.fromEntries(FIGURES.map((field) => [field, median(all[field])])),
    peakBytes: Math.max(...good.map((run) => run.peakBytes ?? Number.NaN)),
    all,
    spread: Object.fromEntries(FIGURES.map((field) => [field, spreadOf(all[field])])),
    failure: failures.length === 0 ? null : `${failures.length} of ${runs.length}: ${failures[0].failure}`,
  }
}

/** The peer with the lowest value of a figure, among those that have it; `of` restricts it to one peer. */
export function bestPeer(rows, field, of) {
  const peers = rows.filter((row) => !row.isOurs && Number.isFinite(row[field]) && (!of || row.name === of))
  return peers.sort((one, other) => one[field] - other[field])[0] ?? null
}
