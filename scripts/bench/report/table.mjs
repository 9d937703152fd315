import { bestPeer, summarize } from './figures.mjs'
import { compare } from './statistics.mjs'
import { SMALL_OBJECT_BYTES } from '../machine/sources.mjs'
import { packageFacts } from '../../lib/shipped.mjs'

const MIB = 1024 * 1024
const MOST_MEMORY_MIB = 150
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const mebibytes = (bytes) => number(bytes / MIB, bytes < 10 * MIB ? 1 : 0)

/** All results of a run as Markdown. */
export function toMarkdown(results, facts) {
  const sections = results.map(section)
  const plot = '![Each run of each client, in seconds and in CPU seconds](bench.svg)'
  return [`# Benchmarks`, facts, targets(results), plot, ...sections].join('\n\n') + '\n'
}

/** One line per target: Sluice's figure beside the one that it is compared with. */
export function targets(results) {
  const lines = results.flatMap(({ scenario, rows }) => targetLines(scenario, rows.map(summarize)))
  const table = markdownTable(
    ['Scenario', 'Sluice', 'Against', 'Ratio', 'Target', ''],
    [...lines, ...memoryLine(results)],
  )
  return `## Targets\n\n${table}`
}

/** The peak memory of the command line's most demanding download. */
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
  const line = (what, figure, against, value, most, isOpen = false) => [
    `${name}: ${what ?? title}`,
    ours.runs === 0 ? ours.failure : figure,
    against,
    value,
    most,
    ours.runs === 0 ? '**missed**' : mark(value, most, isOpen),
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
    const what = field === 'seconds' ? title : 'CPU time'
    const wanted = best?.all[field].map((value) => value * target[field]) ?? []
    const isOpen = compare(ours.all[field], wanted) === 'no difference'
    lines.push(line(what, `${number(ours[field], 2)} ${unit}`, against, number(ratio, 2), `≤ ${target[field]}`, isOpen))
  }
  if (target.againBytes !== undefined) {
    const best = bestPeer(rows, 'againBytes')
    const against = best === null ? '–' : `${best.label} ${mebibytes(best.againBytes)} MiB`
    const again = number(ours.againBytes / MIB, 1)
    lines.push(line('MiB fetched twice', `${again} MiB`, against, again, `≤ ${target.againBytes / MIB}`))
  }
  if (target.slowdown !== undefined) {
    const figure = `${number(ours.seconds, 2)} s`
    lines.push(line(title, figure, 'its own undisturbed time', number(ours.slowdown, 2), `≤ ${target.slowdown}`))
  }
  return lines
}

/** `isOpen`: the runs vary too much to tell the figure from the target. */
function mark(value, most, isOpen = false) {
  if (!Number.isFinite(Number(value))) return ''
  if (Number(value) <= Number(most.slice(2))) return 'met'
  return isOpen ? 'no difference from target' : '**missed**'
}

/** One scenario's table as Markdown. */
export function section({ scenario, rows, limits = [], absent, load, electron }) {
  const summaries = rows.map(summarize)
  const heading = `## ${scenario.title} (\`${scenario.name}\`${sizeOf(scenario)})`
  const missing = absent.map(({ name, why }) => `${name}: ${why}`)
  const table = tableOf(scenario, summaries, limits.map(summarize))
  return [
    heading,
    ...(scenario.limit === undefined ? [] : [`Limit: ${scenario.limit(scenario)}.`]),
    ...(load === undefined ? [] : [`Load of the machine: ${load.map((value) => value.toFixed(1)).join(' to ')}.`]),
    ...(electron === undefined ? [] : [electronWords(electron)]),
    table,
    ...(missing.length === 0 ? [] : [`Not measured: ${missing.join('; ')}.`]),
  ].join('\n\n')
}

/** Which Electron the windows ran in. It is an older one where only the npm registry can be reached (docs/electron.md). */
function electronWords(version) {
  const { electron: shipped } = packageFacts().devDependencies
  return `Electron ${version}${version === shipped ? '' : `; Sluice ships with ${shipped}`}.`
}

function sizeOf({ sizeBytes, count, things = 'objects' }) {
  if (count !== undefined && sizeBytes !== undefined) return `, ${count} × ${sizeBytes / MIB} MiB`
  if (count !== undefined) return `, ${count} ${things}`
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
    case 'upload-tail':
      return markdownTable(
        ['Client', 'seconds', '× its own undisturbed time', 'runs', 'failures'],
        rows.map((row) => [row.label, number(row.seconds, 2), number(row.slowdown, 2), ...end(row)]),
      )
    case 'loop':
      return markdownTable(
        [
          ...['Where', 'seconds', 'CPU s of the process', 'delay p50 ms', 'p99 ms', 'max ms'],
          ...['peak MiB', 'idle MiB', 'failures'],
        ],
        rows.map((row) => [
          row.label,
          number(row.seconds, 2),
          number(row.cpuSeconds, 2),
          ...[row.p50Ms, row.p99Ms, row.maxMs].map((value) => number(value, 1)),
          mebibytes(row.peakBytes),
          mebibytes(row.idleBytes),
          row.failure ?? '',
        ]),
      )
    case 'long-queue':
      return queueTable(rows)
    default:
      return speedTable(scenario, rows, limits)
  }
}

/** The costs of a long list beside those of a short one, which depend on the machine alone. */
function queueTable(rows) {
  const beside = (row, field) => {
    const short = rows.find(({ name, isOurs }) => name === row.name && !isOurs)
    return row.isOurs ? number(row[field] / short?.[field], 2) : ''
  }
  return markdownTable(
    [
      ...['Window', 'seconds', '× short', 'frame median ms', 'p95 ms', '× short', 'longest ms', '× short'],
      ...['main MiB', 'window MiB', 'runs', 'failures'],
    ],
    rows.map((row) => [
      row.label,
      ...[number(row.seconds, 2), beside(row, 'seconds'), number(row.p50Ms, 1)],
      ...[number(row.p95Ms, 1), beside(row, 'p95Ms'), number(row.maxMs, 1), beside(row, 'maxMs')],
      ...[mebibytes(row.mainBytes), mebibytes(row.windowBytes)],
      ...[String(row.runs), row.failure ?? ''],
    ]),
  )
}

function speedTable({ sizeBytes, count, objectBytes = SMALL_OBJECT_BYTES }, rows, limits) {
  const bytes = sizeBytes ?? count * objectBytes
  const best = { seconds: bestPeer(rows, 'seconds'), cpuSeconds: bestPeer(rows, 'cpuSeconds') }
  const ours = rows.find((row) => row.isOurs)
  const measured = (row, field) => [
    withSpread(row, field),
    number(row[field] / best[field]?.[field], 2),
    row === ours || ours === undefined ? '' : verdict(ours, row, field),
  ]
  const rate = count === undefined ? 'MB/s' : 'objects/s'
  const columns = (row) => [
    row.label,
    ...measured(row, 'seconds'),
    number((count ?? bytes / 1e6) / row.seconds, 0),
    ...measured(row, 'cpuSeconds'),
    mebibytes(row.peakBytes),
    String(row.runs),
    row.failure ?? '',
  ]
  return markdownTable(
    [
      ...['Client', 'seconds', '× best', 'Sluice takes', rate],
      ...['CPU s', '× best', 'Sluice takes', 'peak MiB', 'runs', 'failures'],
    ],
    [...rows.map(columns), ...limits.map((row) => [`*limit: ${row.label}*`, ...columns(row).slice(1)])],
  )
}

/** The median, with the range from the least to the most. */
function withSpread(row, field) {
  const { least, most } = row.spread[field]
  const middle = number(row[field], 2)
  return row.all[field].length < 2 ? middle : `${middle} (${number(least, 2)}–${number(most, 2)})`
}

const VERDICTS = { less: 'less', more: 'more', 'no difference': 'no difference', unknown: '' }

function verdict(ours, row, field) {
  return VERDICTS[compare(ours.all[field], row.all[field])]
}

function markdownTable(head, lines) {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
