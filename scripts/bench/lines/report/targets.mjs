import { secondsWithLine } from '../line/ideal.mjs'
import { PROFILES } from '../line/profiles.mjs'

const MIB = 1024 * 1024
/** The smallest part that services accept. */
const PART_BYTES = 5 * MIB
/** The seconds of the line that may be lost, for profiles whose loss is not given in bytes. */
const LOST_SECONDS = 2
const RATE_ERROR = 0.1
const TIME_LEFT_ERROR = 0.2

/**
 * Sluice's targets by profile. Lost bytes depend on what stopped it, the seconds to the first confirmed byte on the
 * time that a part takes.
 */
const SLOW = {
  ratio: 1.04,
  lost: { down: { kill: 2 * MIB, pause: 2 * MIB }, up: { kill: 6 * MIB, pause: 6 * MIB } },
  firstSeconds: { up: (partSeconds) => partSeconds + 1, down: () => 2 },
}
const MIDDLE = {
  ratio: 1.05,
  lost: { down: { kill: 8 * MIB, pause: 8 * MIB }, up: { kill: 16 * MIB, pause: 8 * MIB } },
  firstSeconds: { up: () => 3, down: () => 1.5 },
}
const OTHERS = { ratio: 1.1 }
const TARGETS = { 2: SLOW, 8: SLOW, 80: MIDDLE, train: { ratio: 1.1, ratioWithLine: 1.15 } }

/**
 * Compares a run of Sluice with its targets: { what, value, most, unit } for each. `value` is NaN if it was not
 * measured, and Infinity if the run failed.
 */
export function verdicts(result) {
  const targets = TARGETS[result.profile] ?? OTHERS
  const isWhole = result.failure === null
  const { way, scenario, rate } = result
  const profile = PROFILES.find(({ name }) => name === result.profile)
  if (scenario === 'whole' || scenario === 'folder') {
    return [
      timeVerdict(result, profile, targets),
      {
        what: 'bytes',
        value: isWhole ? result.lineBytes / result.sizeBytes : Infinity,
        most: targets.ratio,
        unit: '×',
      },
      // Where connections are capped, the rate in a row is that of as many as there are, not that of the line.
      ...(scenario === 'whole' && profile.connection === undefined ? truthVerdicts(result, targets) : []),
    ]
  }
  if (scenario !== 'kill' && scenario !== 'pause') return []
  const worst = result.lostBytes.length === 0 ? Number.NaN : Math.max(...result.lostBytes)
  const most = targets.lost?.[way][scenario] ?? mostLost(way, rate)
  return [{ what: `lost by a ${scenario}`, value: (isWhole ? worst : Infinity) / MIB, most: most / MIB, unit: 'MiB' }]
}

function timeVerdict(result, { outage }, { ratio, ratioWithLine }) {
  const { seconds, idealSeconds, sizeBytes, rate, failure } = result
  if (failure !== null) return { what: 'time', value: Infinity, most: ratioWithLine ?? ratio, unit: '×' }
  if (ratioWithLine === undefined) return { what: 'time', value: seconds / idealSeconds, most: ratio, unit: '×' }
  const value = secondsWithLine(outage, seconds) / (sizeBytes / rate)
  return { what: 'time with line', value, most: ratioWithLine, unit: '×' }
}

function truthVerdicts({ way, rate, firstConfirmedSeconds, rateError, timeLeftError }, { firstSeconds }) {
  const first = firstSeconds?.[way](PART_BYTES / rate)
  return [
    ...(first === undefined
      ? []
      : [{ what: 'first confirmed byte', value: firstConfirmedSeconds, most: first, unit: 's' }]),
    { what: 'rate off, at most', value: rateError.largest * 100, most: RATE_ERROR * 100, unit: '%' },
    { what: 'time left off, at most', value: timeLeftError.largest * 100, most: TIME_LEFT_ERROR * 100, unit: '%' },
  ].filter(({ value }) => !Number.isNaN(value))
}

function mostLost(way, rate) {
  return way === 'down' ? LOST_SECONDS * rate : Math.max(2 * PART_BYTES, LOST_SECONDS * rate)
}

/** `met`, `missed`, or empty if there is no figure. */
export function mark({ value, most }) {
  if (Number.isNaN(value)) return ''
  return value <= most ? 'met' : '**missed**'
}
