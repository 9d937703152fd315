import { loadavg } from 'node:os'
import { say } from '../lib/say.mjs'
import { FULL_SIZE_MIB } from './scenarios.mjs'
import { castOf, fetchFile, fetchMany, labelOf } from './kinds/transfers.mjs'
import { measureLimits } from './kinds/limits.mjs'
import { killAndResume } from './kinds/kill.mjs'
import { inTurn } from './machine/measure.mjs'
import { tailRun } from './kinds/tail.mjs'
import { measureLoop } from './kinds/event-loop.mjs'
import { measureHashing } from './kinds/hashing.mjs'
import { measureLongQueue } from './kinds/long-queue.mjs'
import { measureUploadMemory } from './kinds/upload-memory.mjs'
import { measureUploads } from './kinds/uploads.mjs'
import { outcomeOf } from './report/outcome.mjs'

const MIB = 1024 * 1024

/**
 * Runs one scenario: each client in turn, `rounds` times, so that whatever else the machine does affects all of them.
 * Resolves with one row per client, each with its runs, the scenario as it was scaled, and the machine's load before
 * and after.
 */
export async function runScenario(world, plan, { rounds, sizeMiB }) {
  const scenario = scaled(plan, sizeMiB / FULL_SIZE_MIB)
  const [before] = loadavg()
  const measured = await measuredRows(world, scenario, rounds)
  return { scenario, ...measured, load: [before, loadavg()[0]] }
}

async function measuredRows(world, scenario, rounds) {
  if (scenario.kind === 'loop') return measureLoop(world, scenario)
  if (scenario.kind === 'long-queue') return measureLongQueue(world, scenario, rounds)
  if (scenario.kind === 'hashing') return measureHashing(world, scenario, rounds)
  if (scenario.kind === 'upload-memory') return measureUploadMemory(world, scenario)
  if (scenario.kind.startsWith('upload')) return measureUploads(world, scenario, rounds)
  if (scenario.scheme === 'https' && world.server.https === null) {
    return { rows: [], absent: [{ name: 'all', why: 'there is no openssl to make a certificate' }] }
  }
  const { clients, absent } = castOf(scenario, world)
  const rows = clients.map((client) => ({ client, label: labelOf(client, scenario), runs: [] }))
  const limits = world.isAgainstItself ? [] : await measureLimits(world, scenario, rounds)
  for (let round = 0; round < rounds; round += 1) {
    for (const { client, label, runs } of inTurn(rows, round)) {
      if (round > 0 && scenario.once?.includes(client.name)) continue
      const run = await runOnce(world, scenario, client)
      runs.push(run)
      say(`${scenario.name} ${round + 1}/${rounds}  ${label}: ${outcomeOf(run)}`)
    }
  }
  return { rows: rows.map(rowOf), limits, absent }
}

async function runOnce(world, scenario, client) {
  const proxy = scenario.proxy === undefined ? null : await world.proxy(scenario.proxy)
  try {
    switch (scenario.kind) {
      case 'file':
        return await fetchFile(world, scenario, client, await world.source(scenario.sizeBytes), proxy)
      case 'many':
        return await fetchMany(world, scenario, client, await world.smallObjects(scenario.count), proxy)
      case 'kill':
        return await killAndResume(world, scenario, client, proxy)
      case 'tail':
        return await tailRun(world, scenario, client, proxy)
    }
    throw new Error(`There is no scenario kind ${scenario.kind}.`)
  } finally {
    await proxy?.close()
  }
}

function scaled(scenario, factor) {
  const size = scenario.sizeMiB === undefined ? {} : { sizeBytes: Math.ceil(scenario.sizeMiB * factor) * MIB }
  const count = scenario.count === undefined ? {} : { count: Math.ceil(scenario.count * factor) }
  return { ...scenario, ...size, ...count }
}

function rowOf({ client, label, runs }) {
  return { name: client.name, isOurs: client.isOurs ?? false, label, runs }
}
