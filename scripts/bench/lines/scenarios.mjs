import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { follow } from './follow.mjs'
import { idealSeconds } from './ideal.mjs'
import { openLine } from './line.mjs'
import { firstConfirmedSeconds, rateErrors, timeLeftErrors } from './truth.mjs'

const MIB = 1024 * 1024
const PHOTOS = 120
const PHOTO_BYTES = 500_000

/**
 * Scenarios: `whole` undisturbed; `kill` and `pause`: stopped, then the same command again until it ends; `folder` of
 * photos, whole. `signal` is what stops.
 */
export const LINE_SCENARIOS = {
  whole: {},
  kill: { signal: 'SIGKILL' },
  pause: { signal: 'SIGTERM' },
  folder: { isFolder: true },
}

/**
 * One transfer on a line of its own, stopped as the scenario says.
 * @param at seconds after which it is stopped, for `kill` and `pause`.
 */
export async function runOnLine(world, { profile, kind, way, scenario, client, sizeMiB, cli, ...options }) {
  const { isFolder = false, signal } = LINE_SCENARIOS[scenario]
  const source = isFolder ? await world.photos(PHOTOS, PHOTO_BYTES) : await world.source(sizeMiB * MIB)
  const scratch = await world.scratch()
  const line = await openLine(profile, kind, world.store.port)
  const idealS = idealSeconds(source.sizeBytes, line.payloadRate(way), profile)
  const limitSeconds = 3 * idealS + 20
  const at = signal === undefined ? null : (options.at ?? [idealS / 2])
  try {
    const key = way === 'down' ? await source.stored(world.store) : `${scratch.name}${isFolder ? '/' : '.bin'}`
    const path = way === 'up' ? source.path : join(scratch.path, isFolder ? 'arrived/' : 'arrived.bin')
    if (isFolder && way === 'down') await mkdir(path)
    const job = { way, endpoint: line.endpoints[0], bucket: world.store.bucket, key, path, folder: scratch.path, cli }
    const runs = []
    const before = await line.look()
    for (const stopAt of [...(at ?? []).map((afterSeconds) => ({ afterSeconds, signal })), null]) {
      const run = await follow(line, await client.command(job), { limitSeconds, stopAt })
      runs.push({ ...run, beforeSeconds: runs.reduce((sum, { seconds }) => sum + seconds, 0) })
      if (run.isCut || (stopAt !== null && run.status === 0)) break
    }
    const after = await line.look()
    const last = runs.at(-1)
    const isRight = last.status === 0 && (await source.isAt(way === 'up' ? { store: world.store, key } : { path }))
    return {
      ...{ profile: profile.name, kind, way, scenario, client: client.name, at },
      sizeBytes: source.sizeBytes,
      idealSeconds: idealS,
      seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
      isCut: last.isCut,
      failure: isRight ? null : failureOf(last),
      lineBytes: after[way] - before[way],
      ...figuresOf(runs, line.payloadRate(way), profile),
      runs: runs.map(({ seconds, status, samples, said }) => ({ seconds, status, samples, said })),
    }
  } finally {
    line.close()
    await scratch.remove()
  }
}

function figuresOf(runs, rate, { outage }) {
  const [first] = runs
  const isWhole = runs.length === 1
  const none = { largest: Number.NaN, mean: Number.NaN }
  const isSteady = outage === undefined
  return {
    firstConfirmedSeconds: firstConfirmedSeconds(first.said),
    rateError: isSteady ? rateErrors(first.said, rate, first.seconds) : none,
    timeLeftError: isSteady && isWhole && first.status === 0 ? timeLeftErrors(first.said, first.seconds) : none,
    mostConnections: Math.max(0, ...runs.flatMap(({ samples }) => samples.map(({ connections }) => connections))),
    accepted: runs.at(-1).samples.at(-1)?.accepted ?? Number.NaN,
  }
}

function failureOf({ isCut, seconds, status, complaint, said }) {
  if (isCut) {
    const confirmed = said.findLast(({ confirmedBytes }) => confirmedBytes !== undefined)?.confirmedBytes
    const there = confirmed === undefined ? '' : `, ${(confirmed / MIB).toFixed(1)} MiB confirmed`
    return `cut after ${seconds.toFixed(0)} s${there}`
  }
  return status === 0 ? 'what arrived is another' : `ended with ${status}: ${complaint.trim().split('\n').at(-1)}`
}
