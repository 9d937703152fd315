import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesPerSecond, PROFILES } from '../line/profiles.mjs'
import { connectionsWords, number, percent } from './report.mjs'
import { plots } from './svg.mjs'
import { mark, verdicts } from './targets.mjs'

const MIB = 1024 * 1024
const COLORS = { kernel: '#1f6feb', buffers: '#d9730d' }
const WAYS = { up: 'upload', down: 'download' }
const KINDS = { kernel: 'shaped by the kernel', buffers: 'behind deep buffers' }

const PICTURES = [
  ['After 5 s', 'row-5-s'],
  ['After 15 s', 'row-15-s'],
  ['After 60 s', 'row-60-s'],
  ['Then paused', 'row-paused'],
  ['Resumed for 12 s, killed, and opened again', 'row-reopened'],
]

/** Writes docs/bench-lines.md and its plots from results. */
export async function writePage(folder, all, facts) {
  await mkdir(join(folder, 'lines'), { recursive: true })
  const atGateway = all.filter(isAtGateway)
  const results = all.filter((result) => !isAtGateway(result))
  const sections = []
  for (const profile of PROFILES) {
    const own = results.filter((result) => result.profile === profile.name)
    if (own.length === 0) continue
    const picture = pictureOf(profile, own)
    if (picture !== null) await writeFile(join(folder, 'lines', `${profile.name}.svg`), picture)
    sections.push(sectionOf(profile, own, picture !== null))
  }
  const head = ['# Lines that people have', facts, picturesSection(), gatewaySection(atGateway)]
  const page = [...head.filter((each) => each !== null), targetsTable(results), ...sections].join('\n\n')
  const path = join(folder, 'bench-lines.md')
  await writeFile(path, `${page}\n`)
  return path
}

/** Whether a run of Sluice used an S3 service instead of the demo store, to see how that does on the same line. */
function isAtGateway({ client, service }) {
  return client === 'sluice' && service === 's3'
}

function picturesSection() {
  const lines = PICTURES.map(([words, name]) => [words, `![${words}](lines/${name}.png)`])
  const told = '`npm run bench -- lines --pictures`: the real window uploads 96 MiB through an 8 Mbit/s proxy.'
  return `## A row on 8 Mbit/s\n\n${told}\n\n${table(['When', ''], lines)}`
}

function gatewaySection(results) {
  if (results.length === 0) return null
  const lines = merged(results).map((row) => [
    ...[
      titleOf(row.profile),
      WAYS[row.way],
      `${scenarioWords(row)}, ${number(row.sizeBytes / row.count / MIB, 0)} MiB`,
    ],
    ...[number(row.seconds / row.count, 1), number(row.seconds / row.idealSeconds, 2)],
    ...[row.lostBytes.length === 0 ? '' : number(Math.max(...row.lostBytes) / MIB, 1), row.failure ?? ''],
  ])
  const told =
    '`SLUICE_BENCH_S3=… npm run bench -- lines --service s3`: one Ceph node with its gateway beside the line.'
  const heading = ['Line', 'Way', 'What', 'seconds', '× ideal', 'lost MiB', '']
  return `## Ceph through a line\n\n${told}\n\n${table(heading, lines)}`
}

/** One line per target, with Sluice's figure beside it. */
export function targetsTable(results) {
  const lines = merged(results.filter(({ client }) => client === 'sluice')).flatMap((result) =>
    verdicts(result).map((verdict) => [
      ...[titleOf(result.profile), KINDS[result.kind], WAYS[result.way], scenarioWords(result), verdict.what],
      figure(verdict.value, verdict.unit),
      `≤ ${figure(verdict.most, verdict.unit)}`,
      mark(verdict),
    ]),
  )
  return `## Targets\n\n${table(['Line', 'Kind', 'Way', 'Scenario', 'What', 'Sluice', 'Target', ''], lines)}`
}

function sectionOf(profile, results, hasPicture) {
  const rows = merged(results)
  const of = (...scenarios) => rows.filter(({ scenario }) => scenarios.includes(scenario))
  const tables = [
    wholeTable(of('whole', 'folder')),
    stopsTable(of('kill', 'pause')),
    besideTable(of('neighbor')),
  ].filter((each) => each !== null)
  const picture = hasPicture ? [`![Rate and connections over time](lines/${profile.name}.svg)`] : []
  return [`## ${profile.title}`, ...picture, ...tables].join('\n\n')
}

function wholeTable(rows) {
  if (rows.length === 0) return null
  const heading = [
    'Kind',
    'Way',
    'What',
    'Client',
    'seconds',
    '× ideal',
    'MiB on the line',
    '× size',
    'first confirmed s',
  ]
  return table(
    [...heading, 'rate off', 'time left off', 'connections', ''],
    rows.map((row) => [
      ...[KINDS[row.kind], WAYS[row.way], scenarioWords(row), row.client],
      ...[number(row.seconds / row.count, 1), number(row.seconds / row.idealSeconds, 2)],
      ...[number(row.lineBytes / row.count / MIB, 1), number(row.lineBytes / row.sizeBytes, 2)],
      ...[number(row.firstConfirmedSeconds, 1), percent(row.rateError), percent(row.timeLeftError)],
      ...[connectionsWords(row), row.failure ?? ''],
    ]),
  )
}

function stopsTable(rows) {
  if (rows.length === 0) return null
  return table(
    ['Kind', 'Way', 'Stopped by', 'Client', 'times', 'MiB lost each', 'at most', 'at least', ''],
    rows.map((row) => [
      ...[KINDS[row.kind], WAYS[row.way], `a ${row.scenario}`, row.client, String(row.stops.length)],
      number((row.lineBytes - row.sizeBytes) / MIB / row.stops.length, 1),
      ...(row.lostBytes.length === 0
        ? ['–', '–']
        : [number(Math.max(...row.lostBytes) / MIB, 1), number(Math.min(...row.lostBytes) / MIB, 1)]),
      row.failure ?? '',
    ]),
  )
}

function besideTable(rows) {
  if (rows.length === 0) return null
  return table(
    ['Kind', 'Way', 'Client', 'share of the line left to a parallel curl', 'connections', ''],
    rows.map((row) => [
      ...[KINDS[row.kind], WAYS[row.way], row.client, `${number(row.share * 100, 0)} %`],
      ...[number(row.mostConnections, 0), row.failure ?? ''],
    ]),
  )
}

/**
 * Merges transfers of one kind into one: their `count`, the sums of bytes, stops and time, and the largest errors in
 * what was displayed.
 */
function merged(results) {
  const rows = new Map()
  for (const result of results) {
    const key = [result.profile, result.kind, result.way, result.scenario, result.client].join(' ')
    const row = rows.get(key)
    rows.set(key, row === undefined ? { ...result, count: 1 } : mergeRows(row, result))
  }
  return [...rows.values()]
}

function mergeRows(one, other) {
  return {
    ...one,
    count: one.count + 1,
    sizeBytes: one.sizeBytes + other.sizeBytes,
    idealSeconds: one.idealSeconds + other.idealSeconds,
    seconds: one.seconds + other.seconds,
    lineBytes: one.lineBytes + other.lineBytes,
    stops: [...one.stops, ...other.stops],
    lostBytes: [...one.lostBytes, ...other.lostBytes],
    firstConfirmedSeconds: Math.max(...known(one.firstConfirmedSeconds, other.firstConfirmedSeconds)),
    rateError: worse(one.rateError, other.rateError),
    timeLeftError: worse(one.timeLeftError, other.timeLeftError),
    failure: one.failure ?? other.failure,
  }
}

function known(...values) {
  const there = values.filter((value) => !Number.isNaN(value))
  return there.length === 0 ? values : there
}

function worse(one, other) {
  return one.largest >= other.largest || Number.isNaN(other.largest) ? one : other
}

/** The picture of Sluice's undisturbed transfers, both kinds in each panel; null if there are none. */
function pictureOf(profile, results) {
  const whole = results.filter(
    ({ scenario, client, repeat = 0 }) => scenario === 'whole' && client === 'sluice' && repeat === 0,
  )
  if (whole.length === 0) return null
  const ways = Object.keys(WAYS).filter((way) => whole.some((result) => result.way === way))
  const panels = (title, unit, pointsOf, isStepped, limitOf) =>
    ways.map((way) => ({
      title: `${title} of an ${WAYS[way]}`.replace('an download', 'a download'),
      unit,
      limit: limitOf(way),
      series: whole
        .filter((result) => result.way === way)
        .map((result) => ({
          name: KINDS[result.kind],
          color: COLORS[result.kind],
          isStepped,
          points: pointsOf(result.runs[0].samples, way),
        })),
    }))
  return plots(`Sluice on ${profile.title}`, [
    panels('Rate', 'Mbit/s', ratePoints, false, (way) => (bytesPerSecond(profile, way) * 8) / 1e6),
    panels('Connections', 'at once', connectionPoints, true, () => null),
  ])
}

function ratePoints(samples, way) {
  return samples.slice(1).map((sample, index) => {
    const before = samples[index]
    const seconds = Math.max(0.05, sample.atSeconds - before.atSeconds)
    return [sample.atSeconds, ((sample[way] - before[way]) * 8) / 1e6 / seconds]
  })
}

function connectionPoints(samples) {
  return samples.map(({ atSeconds, connections }) => [atSeconds, connections])
}

function titleOf(name) {
  return PROFILES.find((profile) => profile.name === name).title
}

function scenarioWords({ scenario }) {
  return scenario === 'folder' ? '120 photos' : scenario
}

function figure(value, unit) {
  if (value === Infinity) return 'not done'
  return unit === '×' ? `× ${number(value, 3)}` : `${number(value, 1)} ${unit}`
}

function table(heading, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n')
}
