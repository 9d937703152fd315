import { bestPeer, summarize } from './figures.mjs'
import { SMALL_OBJECT_BYTES } from './sources.mjs'

const MIB = 1024 * 1024
const MOST_MEMORY_MIB = 150
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const mebibytes = (bytes) => number(bytes / MIB, bytes < 10 * MIB ? 1 : 0)

/** All results of a run as Markdown. */
export function toMarkdown(results, facts) {
  const sections = results.map(section)
  return [`# Benchmarks`, facts, targets(results), ...sections].join('\n\n') + '\n'
}

/** One line a target: Sluice's figure beside what it is held against. */
export function targets(results) {
  const lines = results.flatMap(({ scenario, rows }) => targetLines(scenario, rows.map(summarize)))
  const table = markdownTable(
    ['Scenario', 'Sluice', 'Against', 'Ratio', 'Target', ''],
    [...lines, ...memoryLine(results)],
  )
  return `## Targets\n\n${table}`
}

/** The most that any download took in the command line. */
function memoryLine(results) {
  const measured = results
    .filter(({ scenario }) => scenario.kind === 'file' || scenario.kind === 'many')
    .map(({ scenario, rows }) => ({ ...rows.map(summarize).find((row) => row.isOurs), scenario: scenario.name }))
    .filter(({ peakBytes }) => Number.isFinite(peakBytes))
  const worst = measured.sort((one, other) => other.peakBytes - one.peakBytes)[0]
  if (worst === undefined) return []
  const figure = mebibytes(worst.peakBytes)
  const most = `≤ ${MOST_MEMORY_MIB}`
  return [['peak memory of the command line', `${figure} MiB`, worst.scenario, figure, most, mark(figure, most)]]
}

function targetLines({ title, name, target = {} }, rows) {
  const ours = rows.find((row) => row.isOurs)
  if (ours === undefined) return []
  const line = (what, figure, against, value, most) => [
    `${name}: ${what ?? title}`,
    ours.runs === 0 ? ours.failure : figure,
    against,
    value,
    most,
    ours.runs === 0 ? '**missed**' : mark(value, most),
  ]
  const lines = []
  for (const [field, unit] of [
    ['seconds', 's'],
    ['cpuSeconds', 'CPU s'],
  ]) {
    if (target[field] === undefined) continue
    const best = bestPeer(rows, field, target.of)
    const ratio = best === null ? Number.NaN : ours[field] / best[field]
    const against = best === null ? '–' : `${best.label} ${number(best[field], 2)} ${unit}`
    const what = field === 'seconds' ? title : 'CPU time of it'
    lines.push(line(what, `${number(ours[field], 2)} ${unit}`, against, number(ratio, 2), `≤ ${target[field]}`))
  }
  if (target.againBytes !== undefined) {
    const best = bestPeer(rows, 'againBytes')
    const against = best === null ? '–' : `${best.label} ${mebibytes(best.againBytes)} MiB`
    const again = number(ours.againBytes / MIB, 1)
    lines.push(line('MiB fetched twice', `${again} MiB`, against, again, `≤ ${target.againBytes / MIB}`))
  }
  if (target.slowdown !== undefined) {
    const figure = `${number(ours.seconds, 2)} s`
    lines.push(line(title, figure, 'its own time undisturbed', number(ours.slowdown, 2), `≤ ${target.slowdown}`))
  }
  return lines
}

function mark(value, most) {
  if (!Number.isFinite(Number(value))) return ''
  return Number(value) <= Number(most.slice(2)) ? 'met' : '**missed**'
}

/** One scenario's table as Markdown. */
export function section({ scenario, rows, limits = [], absent }) {
  const summaries = rows.map(summarize)
  const heading = `## ${scenario.title} (\`${scenario.name}\`${sizeOf(scenario)})`
  const missing = absent.map(({ name, why }) => `${name}: ${why}`)
  const table = tableOf(scenario, summaries, limits.map(summarize))
  return [
    heading,
    ...(scenario.limit === undefined ? [] : [`Limit: ${scenario.limit(scenario)}.`]),
    table,
    ...(missing.length === 0 ? [] : [`Not measured: ${missing.join('; ')}.`]),
  ].join('\n\n')
}

function sizeOf({ sizeBytes, count }) {
  if (count !== undefined && sizeBytes !== undefined) return `, ${count} × ${sizeBytes / MIB} MiB`
  if (count !== undefined) return `, ${count} objects`
  return sizeBytes === undefined ? '' : `, ${sizeBytes / MIB} MiB`
}

function tableOf(scenario, rows, limits) {
  const end = (row) => [String(row.runs), row.failure ?? '']
  switch (scenario.kind) {
    case 'kill':
      return markdownTable(
        ['Client', 'seconds, both runs', 'MiB fetched twice', 'runs', 'failures'],
        rows.map((row) => [row.label, number(row.seconds, 2), number(row.againBytes / MIB, 1), ...end(row)]),
      )
    case 'upload-kill':
      return markdownTable(
        ['Client', 'seconds, both runs', 'MiB sent twice', 'unfinished uploads left', 'runs', 'failures'],
        rows.map((row) => [
          row.label,
          number(row.seconds, 2),
          number(row.againBytes / MIB, 1),
          number(row.strays, 0),
          ...end(row),
        ]),
      )
    case 'upload-memory':
      return markdownTable(
        ['Where', 'seconds', 'peak MiB', 'idle MiB', 'MiB over idle', 'failures'],
        rows.map((row) => [
          row.label,
          number(row.seconds, 2),
          ...[row.peakBytes, row.idleBytes, row.peakBytes - row.idleBytes].map(mebibytes),
          row.failure ?? '',
        ]),
      )
    case 'tail':
      return markdownTable(
        ['Client', 'seconds', '× its own time undisturbed', 'runs', 'failures'],
        rows.map((row) => [row.label, number(row.seconds, 2), number(row.slowdown, 2), ...end(row)]),
      )
    case 'loop':
      return markdownTable(
        ['Where', 'seconds', 'delay p50 ms', 'p99 ms', 'max ms', 'peak MiB', 'idle MiB', 'failures'],
        rows.map((row) => [
          row.label,
          number(row.seconds, 2),
          ...[row.p50Ms, row.p99Ms, row.maxMs].map((value) => number(value, 1)),
          mebibytes(row.peakBytes),
          mebibytes(row.idleBytes),
          row.failure ?? '',
        ]),
      )
    default:
      return speedTable(scenario, rows, limits)
  }
}

function speedTable({ sizeBytes, count, objectBytes = SMALL_OBJECT_BYTES }, rows, limits) {
  const bytes = sizeBytes ?? count * objectBytes
  const best = { seconds: bestPeer(rows, 'seconds'), cpuSeconds: bestPeer(rows, 'cpuSeconds') }
  const ratio = (row, field) => number(row[field] / best[field]?.[field], 2)
  const rate = count === undefined ? 'MB/s' : 'objects/s'
  const columns = (row) => [
    row.label,
    number(row.seconds, 2),
    ratio(row, 'seconds'),
    number((count ?? bytes / 1e6) / row.seconds, 0),
    number(row.cpuSeconds, 2),
    ratio(row, 'cpuSeconds'),
    mebibytes(row.peakBytes),
    String(row.runs),
    row.failure ?? '',
  ]
  return markdownTable(
    ['Client', 'seconds', '× best', rate, 'CPU s', '× best', 'peak MiB', 'runs', 'failures'],
    [...rows.map(columns), ...limits.map((row) => [`*limit: ${row.label}*`, ...columns(row).slice(1)])],
  )
}

function markdownTable(head, lines) {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
