import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { commandOf, whyNot } from './clients.mjs'
import { follow } from './follow.mjs'
import { idealSeconds } from './line/ideal.mjs'
import { openLine } from './line/line.mjs'
import { bytesLost, firstConfirmedSeconds, rateErrors, timeLeftErrors } from './report/truth.mjs'

const MIB = 1024 * 1024
const PHOTOS = 120
const PHOTO_BYTES = 500_000

/**
 * `whole`: undisturbed; `kill` and `pause`: stopped by a signal, then the same command again, until it is done;
 * `folder`: a folder of photos, undisturbed; `neighbor`: beside a curl that moves something in the same direction.
 */
export const LINE_SCENARIOS = {
  whole: {},
  kill: { signal: 'SIGKILL' },
  pause: { signal: 'SIGTERM' },
  folder: { isFolder: true },
  neighbor: { isBeside: true },
}

/** The service that a client uses in a scenario: `demo` or `s3`; null, with the reason, if it can't take part. */
export function serviceFor(client, way, scenario, preferred) {
  const { isFolder = false } = LINE_SCENARIOS[scenario]
  const why = whyNot(client, { way, isFolder, services: ['demo', 's3'] })
  const needs = client.needs(way)
  return { kind: why === null ? (needs === 'any' ? preferred : needs) : null, why }
}

/**
 * Runs one transfer on its own line, stopped at each of `moments`, in seconds from each start. The ideal time doesn't
 * account for stops.
 */
export async function runOnLine(world, { profile, kind, way, scenario, client, service, ...run }) {
  const { sizeMiB, moments, resetSeed, cli } = run
  const { isFolder = false, signal } = LINE_SCENARIOS[scenario]
  const target = await world.service(service)
  const source = isFolder ? await world.photos(PHOTOS, PHOTO_BYTES) : await world.source(sizeMiB * MIB)
  const scratch = await world.scratch()
  const stored = way === 'down' ? await source.stored(target) : null
  const line = await openLine(profile, kind, target.port, { resetSeed })
  const rate = line.payloadRate(way)
  const idealS = idealSeconds(source.sizeBytes, rate, profile)
  try {
    const key = stored ?? `${scratch.name}${isFolder ? '/' : '.bin'}`
    const path = way === 'up' ? source.path : join(scratch.path, isFolder ? 'arrived/' : 'arrived.bin')
    if (isFolder && way === 'down') await mkdir(path)
    const there = { ...target, endpoint: line.endpoints[0] }
    const job = { way, target: there, key, path, folder: scratch.path, cli }
    const before = await line.look()
    const stops = signal === undefined ? [] : (moments ?? [idealS / 2])
    const runs = await inTurn(line, () => commandOf(client, job), stops, signal, 3 * idealS + 20)
    const after = await line.look()
    const last = runs.at(-1)
    const isRight = last.status === 0 && (await source.isAt(way === 'up' ? { target, key } : { path }))
    if (way === 'up') await source.remove(target, key)
    const lineBytes = after[way] - before[way]
    // By the end of an upload, everything that its only stop cost has crossed the line, so the stop can't have cost
    // more. With resets and outages, which cost bytes as well, this is only an upper bound.
    const isSteady = profile.resetEveryMiB === undefined && profile.outage === undefined
    const isOneStop = isRight && way === 'up' && runs.length === 2
    const mostLost = isOneStop ? Math.max(0, lineBytes - source.sizeBytes) : Infinity
    return {
      ...{ profile: profile.name, kind, way, scenario, client: client.name, service },
      ...{ sizeBytes: source.sizeBytes, idealSeconds: idealS, rate, isCut: last.isCut },
      stops: stops.slice(0, runs.length - 1),
      seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
      failure: isRight ? null : failureOf(last),
      lineBytes,
      lostBytes: isOneStop && isSteady ? [mostLost] : bytesLost(runs, way).map((bytes) => Math.min(bytes, mostLost)),
      ...figuresOf(runs, rate, profile),
      runs: runs.map(({ seconds, status, samples, said }) => ({ seconds, status, samples, said })),
    }
  } finally {
    line.close()
    await scratch.remove()
  }
}

async function inTurn(line, command, stops, signal, limitSeconds) {
  const runs = []
  for (const afterSeconds of [...stops, null]) {
    const stopAt = afterSeconds === null ? null : { afterSeconds, signal }
    const run = await follow(line, await command(), { limitSeconds, stopAt })
    runs.push(run)
    if (run.isCut || run.status === 0) break
  }
  return runs
}

function figuresOf(runs, rate, { outage }) {
  const [first] = runs
  const none = { largest: Number.NaN, mean: Number.NaN }
  const isSteady = outage === undefined
  const isWhole = runs.length === 1 && first.status === 0
  return {
    firstConfirmedSeconds: firstConfirmedSeconds(first.said),
    rateError: isSteady ? rateErrors(first.said, rate, first.seconds) : none,
    timeLeftError: isSteady && isWhole ? timeLeftErrors(first.said, first.seconds) : none,
    mostConnections: Math.max(0, ...runs.flatMap(({ samples }) => samples.map(({ connections }) => connections))),
    accepted: runs.at(-1).samples.at(-1)?.accepted ?? Number.NaN,
  }
}

function failureOf({ isCut, seconds, status, complaint, said }) {
  if (!isCut) {
    return status === 0
      ? 'what arrived differs from the source'
      : `ended with ${status}: ${complaint.trim().split('\n').at(-1)}`
  }
  const confirmed = said.findLast(({ confirmedBytes }) => confirmedBytes !== undefined)?.confirmedBytes
  const there = confirmed === undefined ? '' : `, ${(confirmed / MIB).toFixed(1)} MiB confirmed`
  return `cut after ${seconds.toFixed(0)} s${there}`
}
