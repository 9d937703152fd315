import { idealSeconds, payloadRate } from './line/ideal.mjs'
import { bytesPerSecond } from './line/profiles.mjs'
import { LINE_SCENARIOS, serviceFor } from './scenarios.mjs'

const MIB = 1024 * 1024
const FOLDER_MIB = 58
/** How long a run of `neighbor` takes. */
const BESIDE_SECONDS = 40
/** How long starting takes, and checking and removing what arrived. */
const ASIDE_SECONDS = 3
/** When a transfer is stopped, first and between two stops, as shares of the time that it needs. */
const STOP_SHARES = { least: 0.05, most: 0.45 }
/** The least time before a stop, so that a client can report what it starts with. */
const LEAST_STOP_SECONDS = 3
/** How often one transfer is stopped. An upload only once: what buffers on the way hold shows only at its end. */
const STOPS_OF_ONE = { down: 4, up: 1 }
/** How many whole transfers run on a line with resets, each with its own seed: a reset's cost depends on its moment. */
const RUNS_WITH_RESETS = 4
const QUICK_SECONDS = 15
/** Profiles whose uploads a quick run measures through buffers. Downloads don't suffer from buffers. */
const QUICK_BUFFERS = ['2', '8', '80']
/** On a line with outages, a quick run takes a bit more than one period, but not minutes. */
const QUICK_OUTAGE_SECONDS = { most: 55, periods: 1.2 }

/**
 * Plans the runs, in order: { profile, kind, way, scenario, client, service, sizeMiB, moments, repeat, resetSeed }.
 * Clients that can't take part are in `absent`, with the reason.
 * @param chosen profiles, kinds, ways, scenarios (names), clients; sizeMiB, at and times or null.
 */
export function planOf({ profiles, kinds, ways, scenarios, clients, service, sizeMiB, at, times, isQuick, random }) {
  const runs = []
  const absent = []
  for (const profile of profiles) {
    for (const kind of kinds) {
      for (const way of ways) {
        for (const scenario of scenarios) {
          if (isQuick && !isQuickPart(profile, kind, way, scenario)) continue
          const size = sizeMiB ?? sizeOf(profile, way, isQuick)
          // All clients are stopped and reset at the same moments.
          const repeats = repeatsOf({ profile, kind, way, scenario, sizeMiB: size }, { at, times, isQuick, random })
          for (const client of clients) {
            const { kind: met, why } = serviceFor(client, way, scenario, service)
            const job = { profile, kind, way, scenario, client, service: met }
            if (met === null) absent.push({ ...job, why })
            else runs.push(...repeats.map((repeat) => ({ ...job, ...repeat })))
          }
        }
      }
    }
  }
  return { runs, absent }
}

/** A quick run has whole transfers on all kernel lines, uploads through some buffers, and stops only on 8/8 Mbit/s. */
function isQuickPart(profile, kind, way, scenario) {
  if (scenario === 'whole') return kind === 'kernel' || (way === 'up' && QUICK_BUFFERS.includes(profile.name))
  return profile.name === '8' && kind === 'kernel' && LINE_SCENARIOS[scenario].signal !== undefined
}

function sizeOf(profile, way, isQuick) {
  if (!isQuick) return profile[`${way}MiB`]
  const { everySeconds } = profile.outage ?? {}
  const { most, periods } = QUICK_OUTAGE_SECONDS
  const seconds = everySeconds === undefined ? QUICK_SECONDS : Math.min(most, everySeconds * periods)
  const openShare = everySeconds === undefined ? 1 : 1 - profile.outage.lastsSeconds / everySeconds
  return Math.max(1, Math.round((bytesPerSecond(profile, way) * seconds * openShare) / MIB))
}

function repeatsOf(job, { at, times, isQuick, random }) {
  const { profile, way, scenario, sizeMiB } = job
  const hasResets = profile.resetEveryMiB !== undefined
  if (LINE_SCENARIOS[scenario].signal === undefined) {
    const count = hasResets && scenario === 'whole' && !isQuick ? RUNS_WITH_RESETS : 1
    return Array.from({ length: count }, (_, repeat) => ({
      ...{ sizeMiB, moments: [], repeat },
      resetSeed: hasResets ? seedOf(random) : 1,
    }))
  }
  if (at !== null) return [{ sizeMiB, moments: at, repeat: 0, resetSeed: 1 }]
  const wholeSeconds = idealOf(job)
  const repeats = []
  for (let left = times; left > 0; left -= STOPS_OF_ONE[way]) {
    const moments = Array.from({ length: Math.min(left, STOPS_OF_ONE[way]) }, () => {
      const { least, most } = STOP_SHARES
      return Math.max(LEAST_STOP_SECONDS, wholeSeconds * (least + random() * (most - least)))
    })
    repeats.push({ sizeMiB, moments, repeat: repeats.length, resetSeed: hasResets ? seedOf(random) : 1 })
  }
  return repeats
}

function seedOf(random) {
  return Math.floor(random() * 2 ** 31)
}

function idealOf({ profile, kind, way, scenario, sizeMiB }) {
  const bytes = (LINE_SCENARIOS[scenario].isFolder ? FOLDER_MIB : sizeMiB) * MIB
  return idealSeconds(bytes, payloadRate(kind, bytesPerSecond(profile, way)), profile)
}

/** The minutes that the runs of a plan take if nothing is lost. */
export function minutesOf(runs) {
  const secondsOf = (run) => (LINE_SCENARIOS[run.scenario].isBeside ? BESIDE_SECONDS : idealOf(run))
  return runs.reduce((sum, run) => sum + secondsOf(run) + ASIDE_SECONDS, 0) / 60
}
