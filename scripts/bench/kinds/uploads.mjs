import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '../../lib/say.mjs'
import { inTurn, measure, start } from '../machine/measure.mjs'
import { touchPageCache } from '../machine/page-cache.mjs'
import { slowOne } from './tail.mjs'
import { sha256Of } from '../machine/sources.mjs'
import { outcomeOf } from '../report/outcome.mjs'
import { UPLOAD_CLIENTS } from '../clients/upload-clients.mjs'
import { s3Target, startDemoTarget, through } from '../servers/upload-target.mjs'

const LIMIT_SECONDS = 180
/** The method that a client must have, by the scenario's kind; for other kinds it is `file`. */
const METHODS = { 'upload-many': 'many', 'upload-back': 'back' }

/**
 * Runs an upload scenario: each client in turn, `rounds` times. Resolves with one row per client, and who is absent.
 * Without a service that speaks S3, only scenarios on the demo store are measured.
 */
export async function measureUploads(world, scenario, rounds) {
  const scratch = await world.scratch()
  const target = scenario.to === 's3' ? await s3Target() : await startDemoTarget(scratch.path)
  try {
    if (target === null) return { rows: [], absent: [{ name: 'all', why: 'SLUICE_BENCH_S3 names no service' }] }
    const { clients, absent } = castOf(scenario, world)
    const rows = clients.map((client) => ({ client, label: labelOf(client, scenario), runs: [] }))
    for (let round = 0; round < rounds; round += 1) {
      for (const { client, label, runs } of inTurn(rows, round)) {
        if (round > 0 && scenario.once?.includes(client.name)) continue
        const run = await runOnce(
          world,
          scenario,
          client,
          target,
          `${client.name.replace(' ', '-')}-${process.pid}-${round}`,
        )
        runs.push(run)
        say(`${scenario.name} ${round + 1}/${rounds}  ${label}: ${outcomeOf(run)}`)
      }
    }
    return {
      rows: rows.map(({ client, label, runs }) => ({ name: client.name, isOurs: client.isOurs, label, runs })),
      absent,
    }
  } finally {
    await target?.close()
    await scratch.remove()
  }
}

function castOf({ kind, to, skip = {} }, { casts, versions }) {
  const method = METHODS[kind] ?? 'file'
  const able = casts.uploads.filter((client) => client[method] !== undefined)
  const why = ({ name, program, needs = to }) =>
    versions.get(program) === null ? 'not installed' : needs !== to ? `needs ${needsName(needs)}` : skip[name]
  return {
    clients: able.filter((client) => why(client) === undefined),
    absent: able.filter((client) => why(client)).map((client) => ({ name: client.name, why: why(client) })),
  }
}

function needsName(kind) {
  return kind === 's3' ? 'a service that speaks S3' : 'a service that accepts unsigned requests'
}

function labelOf(client, scenario) {
  if (scenario.kind === 'upload-many') return client.manyLabel ?? client.name
  return client.label?.({ streams: scenario.streams?.[client.name] }) ?? client.name
}

async function runOnce(world, scenario, client, target, key) {
  const port = Number(new URL(target.endpoint).port)
  const proxy = scenario.proxy === undefined ? null : await world.proxy({ targetPort: port, ...scenario.proxy })
  const scratch = await world.scratch()
  const job = { world, scenario, client, target, proxy, key, folder: scratch.path }
  try {
    switch (scenario.kind) {
      case 'upload':
        return await putFile(job)
      case 'upload-tail':
        return await putWithTail(job)
      case 'upload-back':
        return await fetchBack(job)
      case 'upload-many':
        return await putMany(job)
      case 'upload-kill':
        return await killAndGoOn(job)
    }
    throw new Error(`There is no scenario kind ${scenario.kind}.`)
  } finally {
    await proxy?.close()
    await scratch.remove()
  }
}

async function putFile({ world, scenario, client, target, proxy, key, folder }) {
  const source = await world.source(scenario.sizeBytes)
  const streams = scenario.streams?.[client.name]
  const job = { target: through(target, proxy), source: source.localPath, key, streams, folder }
  const run = await measure(world.timer, await client.file(job), join(folder, 'time'), LIMIT_SECONDS)
  const failure =
    failureOf(run) ?? ((await target.sha256Of(key)) === source.sha256 ? null : 'what arrived differs from the source')
  await target.remove(key)
  return { ...run, failure }
}

/** Uploads the file twice: undisturbed, and with one busy connection slowed down once 90 % have passed. */
async function putWithTail(job) {
  const { proxy, scenario } = job
  const ideal = await putFile(job)
  void slowOne(proxy, 'bytesToTarget', scenario.sizeBytes, scenario.throttleBytesPerSecond)
  const run = await putFile(job)
  return { ...run, slowdown: run.seconds / ideal.seconds, failure: ideal.failure ?? run.failure }
}

/** Sluice uploads the file; then the client downloads it. */
async function fetchBack({ world, scenario, client, target, key, folder }) {
  const source = await world.source(scenario.sizeBytes)
  const streams = scenario.streams?.[client.name]
  const [sluice] = UPLOAD_CLIENTS
  await mkdir(join(folder, 'put'))
  await start(await sluice.file({ target, source: source.localPath, key, folder: join(folder, 'put') })).ended
  const path = join(folder, 'arrived.bin')
  await touchPageCache(folder, source.sizeBytes)
  const command = await client.back({ target, key, path, streams, folder })
  const run = await measure(world.timer, command, join(folder, 'time'), LIMIT_SECONDS)
  const failure =
    failureOf(run) ?? ((await sha256Of(path)) === source.sha256 ? null : 'what arrived differs from the source')
  await target.remove(key)
  return { ...run, failure }
}

async function putMany({ world, scenario, client, target, proxy, key, folder }) {
  const { localPath, names, digest } = await world.smallFiles(scenario.count, scenario.objectBytes)
  const job = { target: through(target, proxy), source: localPath, names, prefix: key, folder }
  const run = await measure(world.timer, await client.many(job), join(folder, 'time'), LIMIT_SECONDS)
  const hash = createHash('sha256')
  for (const name of names) {
    hash.update(`${name} ${await target.sha256Of(`${key}/${name}`)}\n`)
    await target.remove(`${key}/${name}`)
  }
  return {
    ...run,
    failure: failureOf(run) ?? (hash.digest('hex') === digest ? null : 'what arrived differs from the source'),
  }
}

/**
 * Kills a client with SIGKILL when half of the file has passed the proxy, and starts the same command again (s3cmd with
 * the id of the upload). `againBytes` is what passed beyond the size of the file, `strays` the number of unfinished
 * uploads that are left.
 */
async function killAndGoOn({ world, scenario, client, target, proxy, key, folder }) {
  const source = await world.source(scenario.sizeBytes)
  const streams = scenario.streams?.[client.name]
  const before = new Set(await target.uploads())
  const left = async () => (await target.uploads()).filter((uploadId) => !before.has(uploadId))
  const command = await client.file({ target: through(target, proxy), source: source.localPath, key, streams, folder })
  const first = start(command)
  await Promise.race([proxy.passedToTarget(source.sizeBytes / 2), first.ended])
  first.kill()
  const killed = await first.ended
  const [uploadId] = await left()
  const again = client.resume !== undefined && uploadId !== undefined ? client.resume(command, uploadId) : command
  const second = await start(again).ended
  const isRight = second.status === 0 && (await target.sha256Of(key)) === source.sha256
  const strays = await left()
  for (const stray of strays) await target.abort(key, stray)
  await target.remove(key)
  return {
    seconds: killed.seconds + second.seconds,
    againBytes: proxy.bytesToTarget - source.sizeBytes,
    strays: strays.length,
    failure: isRight ? null : (failureOf(second) ?? 'what arrived differs from the source'),
  }
}

function failureOf({ isCut = false, seconds, status, said }) {
  if (isCut) return `not done after ${seconds.toFixed(0)} s`
  return status === 0 ? null : `ended with ${status}: ${said.trim().split('\n').at(-1)}`
}
