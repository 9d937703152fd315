import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from './clients.mjs'
import { follow } from './follow.mjs'
import { openLine } from './line/line.mjs'

const MIB = 1024 * 1024
/** How long the neighbor has the line to itself. */
const ALONE_SECONDS = 3
/** How long the transfer has to find its pace before shares are measured. */
const SETTLING_SECONDS = 7
const TOGETHER_SECONDS = 30

/**
 * Runs a transfer beside a curl that moves something in the same direction all the time. `share` is the neighbor's
 * part of what crosses the line while both are under way; with one connection each it would be 0.5.
 */
export async function runBeside(world, { profile, kind, way, scenario, client, service, cli }) {
  const [target, others] = await Promise.all([world.service(service), world.service('demo')])
  const scratch = await world.scratch()
  const line = await openLine(profile, kind, target.port, { neighborPort: others.port })
  const rate = line.payloadRate(way)
  const seconds = ALONE_SECONDS + SETTLING_SECONDS + TOGETHER_SECONDS
  const sizeBytes = Math.ceil((rate * seconds * 1.2) / MIB) * MIB
  const source = await world.source(sizeBytes)
  const zeros = await world.sparse(sizeBytes * 2)
  const key = way === 'down' ? await source.stored(target) : `${scratch.name}.bin`
  const url = `${line.endpoints[1]}/${others.bucket}/${way === 'down' ? await zeros.stored(others) : `${scratch.name}.zeros`}`
  const words = [...line.argvPrefix, 'curl', '-s', ...(way === 'up' ? ['-T', zeros.path] : ['-o', '/dev/null']), url]
  const neighbor = spawn(words[0], words.slice(1), { stdio: 'ignore' })
  try {
    await sleep(ALONE_SECONDS * 1000)
    const path = way === 'up' ? source.path : join(scratch.path, 'arrived.bin')
    const job = { way, target: { ...target, endpoint: line.endpoints[0] }, key, path, folder: scratch.path, cli }
    const limitSeconds = SETTLING_SECONDS + TOGETHER_SECONDS
    const run = await follow(line, await commandOf(client, job), { limitSeconds })
    const from = run.samples.find(({ atSeconds }) => atSeconds >= SETTLING_SECONDS)
    const to = run.samples.at(-1)
    const all = (to?.[way] ?? Number.NaN) - (from?.[way] ?? Number.NaN)
    return {
      ...{ profile: profile.name, kind, way, scenario, client: client.name, service, sizeBytes, rate },
      seconds: run.seconds,
      share: (to?.neighbor[way] - from?.neighbor[way]) / all,
      mostConnections: Math.max(0, ...run.samples.map(({ connections }) => connections)),
      failure: run.isCut ? null : `ended too early, with ${run.status}`,
    }
  } finally {
    neighbor.kill('SIGKILL')
    line.close()
    if (way === 'up') await others.remove(`${scratch.name}.zeros`)
    await scratch.remove()
  }
}
