import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { measure } from '../machine/measure.mjs'
import { touchPageCache } from '../machine/page-cache.mjs'
import { sha256Of, sha256OfFolder } from '../machine/sources.mjs'

const LIMIT_SECONDS = 120

/** The clients that take part in a scenario, and those that don't, with the reason. */
export function castOf({ skip = {}, kind }, { casts, versions }) {
  const method = kind === 'many' ? 'many' : 'file'
  const able = casts.downloads.filter((client) => client[method] !== undefined || skip[client.name] !== undefined)
  const reason = ({ name, program }) => (versions.get(program) === null ? 'not installed' : skip[name])
  return {
    clients: able.filter((client) => reason(client) === undefined),
    absent: able.filter((client) => reason(client)).map((client) => ({ name: client.name, why: reason(client) })),
  }
}

export function labelOf(client, scenario) {
  const { streams = {}, kind } = scenario
  if (kind === 'many') return client.manyLabel ?? client.name
  return client.label?.({ streams: streams[client.name] }) ?? client.name
}

/** The address of a scenario's file, through the proxy if there is one. */
function urlOf(world, { scheme }, source, proxy) {
  return `${proxy?.endpoint ?? world.server[scheme]}${source.path}`
}

/** One download of one file by one client, measured; what arrived is compared with the source. */
export async function fetchFile(world, scenario, client, source, proxy) {
  const scratch = await world.scratch()
  const target = join(scratch.path, 'arrived.bin')
  const command = await fileCommand(world, scenario, client, source, proxy, scratch)
  await touchPageCache(scratch.path, source.sizeBytes)
  const run = await measure(world.timer, command, join(scratch.path, 'time'), scenario.limitSeconds ?? LIMIT_SECONDS)
  const isRight = async () => (await sha256Of(target)) === source.sha256
  return finish(run, scratch, isRight)
}

/** The command line of such a download, to be run in its own scratch folder. */
export async function fileCommand(world, scenario, client, source, proxy, scratch) {
  return client.file({
    url: urlOf(world, scenario, source, proxy),
    target: join(scratch.path, 'arrived.bin'),
    streams: scenario.streams?.[client.name] ?? 1,
    certFile: scenario.scheme === 'https' ? world.certificate.certFile : null,
    folder: scratch.path,
  })
}

/** One download of many objects by one client. */
export async function fetchMany(world, scenario, client, objects, proxy) {
  const scratch = await world.scratch()
  const target = join(scratch.path, 'arrived')
  await mkdir(target)
  const { prefix, names } = objects
  const origin = proxy?.endpoint ?? world.server.http
  const command = await client.many({ origin, prefix, names, target, folder: scratch.path })
  const run = await measure(world.timer, command, join(scratch.path, 'time'), scenario.limitSeconds ?? LIMIT_SECONDS)
  return finish(run, scratch, async () => (await sha256OfFolder(target)) === objects.digest)
}

async function finish(run, scratch, isRight) {
  const failure = run.isCut
    ? `not done after ${run.seconds.toFixed(0)} s`
    : run.status !== 0
      ? `ended with ${run.status}: ${run.said.trim().split('\n').at(-1)}`
      : (await isRight().catch(() => false))
        ? null
        : 'what arrived differs from the source'
  await scratch.remove()
  return { ...run, failure }
}
