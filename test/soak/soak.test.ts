import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import type { NewPlace } from '../../shared/place/place.ts'
import { createRandom } from '../simulation/random.ts'
import { startFaultProxy, type FaultProxy } from '../support/fault-server/fault-server.ts'
import { startS3Service } from '../support/servers/s3-service.ts'
import { runCli, startCli } from '../support/tools/run-cli.ts'
import type { Decisions } from './decisions.ts'
import { growthOf, type MemorySample } from './memory.ts'
import { runRound, type OpenUpload, type ServiceView } from './round.ts'
import { mountSmallVolume } from './small-volume.ts'
import { createSoakedCli } from './soaked-cli.ts'
import { openSoakedApp } from './soaked-app.ts'
import { FAULT_NAMES, runStorm, type FaultName } from './storm.ts'

/** `npm run soak` sets both. */
const MINUTES = Number(process.env['SLUICE_SOAK_MINUTES'] ?? 30)
const SEED = Number(process.env['SLUICE_SOAK_SEED'] ?? randomInt(2 ** 31))
const KEYS = { SLUICE_ACCESS_KEY: 'soak', SLUICE_SECRET_KEY: 'soak-secret' }
/** Each client's, so that transfers last long enough to be disturbed. */
const RATE = 6 * MIB
const VOLUME_BYTES = 512 * MIB
/** A long-lived process may grow by this share of what it takes, from the end of the first third of the run on. */
const MOST_GROWTH = 0.15

it('loses nothing while everything goes wrong for long', { timeout: (MINUTES + 15) * 60_000 }, async () => {
  const world = await createWorld()
  const samples = new Map<string, MemorySample[]>()
  const calm = new AbortController()
  const startedMs = performance.now()
  const storm = runStorm(world, createRandom(SEED + 1), calm.signal)
  const random = createRandom(SEED)
  const sums = { rounds: 0, comparedBytes: 0, emptyUploads: 0, damagedUp: 0, damagedDown: 0 }
  let mostEmptyUploads = 0
  try {
    while (performance.now() - startedMs < MINUTES * 60_000) {
      const round = await runRound(world, sums.rounds, random)
      sums.rounds += 1
      sums.comparedBytes += round.comparedBytes
      sums.emptyUploads += round.emptyUploads
      sums.damagedUp += round.damaged.up
      sums.damagedDown += round.damaged.down
      await sampleMemory(world, samples, performance.now() - startedMs)
      say(`round ${sums.rounds} is right, after ${Math.round((performance.now() - startedMs) / 1000)} s`)
    }
  } finally {
    calm.abort()
    const counts = await storm
    const kills = counts['killed command line'] + counts['killed app']
    mostEmptyUploads = unansweredCreates(world) + kills
    say(await summaryOf({ world, samples, counts, ...sums, elapsedMs: performance.now() - startedMs }))
  }
  expect(await leftovers(world)).toEqual([])
  expect([sums.damagedUp > 0, sums.damagedDown > 0]).toEqual([true, true])
  expect(sums.emptyUploads).toBeLessThanOrEqual(mostEmptyUploads)
  for (const [process, taken] of samples) {
    const growth = growthOf(taken)
    if (growth !== null) expect(growth.growthBytes / growth.medianBytes, process).toBeLessThan(MOST_GROWTH)
  }
})

type World = Awaited<ReturnType<typeof createWorld>>

async function createWorld() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-soak-')))
  const inFolder = async (name: string) => {
    await mkdir(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  const targets = await inFolder('targets')
  const volume = await mountSmallVolume(targets, VOLUME_BYTES)
  const service = startCli(['serve', '--dir', await inFolder('store'), '--bucket', 'soak'], KEYS)
  // A run that is stopped leaves nothing behind either.
  const leave = () => {
    service.process.kill('SIGKILL')
    if (volume !== null) spawnSync('umount', ['--lazy', targets])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', leave)
  const endpoint = await new Promise<string>((resolve) =>
    service.process.stdout?.once('data', (line: Buffer) => {
      resolve((JSON.parse(line.toString()) as { endpoint: string }).endpoint)
    }),
  )
  const proxy = await startFaultProxy({ target: endpoint })
  const decisions: Decisions = new Map()
  const clockFile = join(folder, 'clock')
  await writeFile(clockFile, '0')
  await writeFile(`${clockFile}.seen`, '')
  const reach = { ...KEYS, SLUICE_ENDPOINT: proxy.endpoint, SLUICE_BUCKET: 'soak' }
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href
  const commandLine = (name: string, stateFolder: string, other: Readonly<Record<string, string>> = {}) =>
    createSoakedCli(
      name,
      { ...reach, ...other, SLUICE_STATE_DIR: stateFolder, SOAK_CLOCK: clockFile, NODE_OPTIONS: `--import=${preload}` },
      decisions,
    )
  const stateFolders = [
    await inFolder('state-1'),
    await inFolder('state-2'),
    await inFolder('targets/state-3'),
    await inFolder('state-s3'),
  ]
  const [one = '', two = '', three = '', overS3 = ''] = stateFolders
  const commandLines = [
    commandLine('command line 1', one),
    commandLine('command line 2', two),
    commandLine('command line 3', three),
  ] as const
  const s3Service = await startS3Service('soak')
  const s3Proxy = await startFaultProxy({ target: s3Service.endpoint })
  const byS3 = { SLUICE_ENDPOINT: s3Proxy.endpoint, SLUICE_DIALECT: 's3', SLUICE_REGION: 'us-east-1' }
  const s3 = { service: s3Service, proxy: s3Proxy, commandLine: commandLine('S3 command line', overS3, byS3) }
  const place = placeAt(proxy.endpoint)
  const app = async (name: string) =>
    openSoakedApp({ name, userDataDir: await inFolder(name), place, clockFile, limitBytesPerSecond: RATE, decisions })
  const apps = [await app('app 1'), await app('app 2')] as const
  onTestFinished(async () => {
    process.off('exit', leave)
    await Promise.all(apps.map((each) => each.close()))
    for (const each of [...commandLines, s3.commandLine]) each.kill()
    await Promise.all([proxy.close(), s3Proxy.close()])
    service.process.kill('SIGTERM')
    await service.ended
    await volume?.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    ...{ folder, targets, volume, proxy, clockFile, stateFolders, commandLines, apps, decisions, s3 },
    service: {
      ...viewOf({ ...reach, SLUICE_ENDPOINT: endpoint }),
      story: (upload: OpenUpload) => storyOf(proxy, upload),
    },
    servicePid: service.process.pid,
    sources: await inFolder('sources'),
    mortal: apps[1],
  }
}

function viewOf(environment: Readonly<Record<string, string>>): Omit<ServiceView, 'story'> {
  const ask = async (...argv: readonly string[]) => {
    const { status, stderr, lines } = await runCli(['uploads', ...argv], environment)
    if (status !== 0) throw new Error(`The service can’t be asked: ${stderr}`)
    return lines
  }
  return {
    openUploads: async () => (await ask('list')) as unknown as readonly OpenUpload[],
    async partCount({ key, uploadId }) {
      const [list] = await ask('parts', key, '--upload-id', uploadId)
      return (list?.['parts'] as readonly unknown[]).length
    },
    abort: async ({ key, uploadId }) => void (await ask('abort', key, '--upload-id', uploadId)),
  }
}

function storyOf({ log }: FaultProxy, { uploadId }: OpenUpload): string {
  const about = log.filter(({ url }) => url.includes(encodeURIComponent(uploadId)))
  return about
    .map(({ method, url, status, faults }) => `${method} ${url} ${status} ${JSON.stringify(faults)}`)
    .join('\n')
}

/** Of which requests to begin an upload the client did not see the answer. */
function unansweredCreates({ proxy }: World): number {
  return proxy
    .requests({ method: 'POST', query: { uploads: true } })
    .filter(({ status, faults }) => status === null || faults.length > 0).length
}

function placeAt(endpoint: string): NewPlace {
  return {
    ...{ name: 'Soak', endpoint, bucket: 'soak', dialect: 'storage', pathStyle: true, scheme: 'STORAGE' },
    ...{ signature: 'hmac-sha1', region: '', profile: '', sessionToken: '', preset: 'storage', color: 'none' },
    ...{ accessKeyId: KEYS.SLUICE_ACCESS_KEY, secretAccessKey: KEYS.SLUICE_SECRET_KEY },
  }
}

/**
 * Of the processes that live as long as the run: the service, and the app that is never killed. Between two rounds, when
 * nothing is listed and nothing runs: what a process takes while it works says what it works on, not what it keeps.
 */
async function sampleMemory(world: World, samples: Map<string, MemorySample[]>, atMs: number): Promise<void> {
  const service = await residentBytes(world.servicePid)
  const taken = { ...(service === null ? {} : { service }), ...(await world.apps[0].memory()) }
  for (const [name, bytes] of Object.entries(taken)) {
    samples.set(name, [...(samples.get(name) ?? []), { atMs, bytes }])
  }
}

/** Null where the system doesn't tell in this way. */
async function residentBytes(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(status)
  return match === null ? null : Number(match[1]) * 1024
}

/** What nothing needs any more and is there: state of commands, partial files, sources. */
async function leftovers({ stateFolders, targets, sources, folder }: World): Promise<readonly string[]> {
  const inState = (await Promise.all(stateFolders.map(async (path) => foldersIn(path)))).flat()
  const below = await readdir(folder, { recursive: true })
  const partial = below.filter((path) => /\.part(\.json)?$|\.sluice/.test(path))
  const inTargets = (await readdir(targets)).filter((name) => name !== 'state-3')
  return [...inState, ...partial, ...inTargets, ...(await readdir(sources))]
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
}

interface Facts {
  readonly world: World
  readonly samples: ReadonlyMap<string, readonly MemorySample[]>
  readonly counts: Readonly<Record<FaultName, number>>
  readonly rounds: number
  readonly comparedBytes: number
  readonly emptyUploads: number
  readonly damagedUp: number
  readonly damagedDown: number
  readonly elapsedMs: number
}

/** The run on a page. */
async function summaryOf(facts: Facts): Promise<string> {
  const { world, samples, counts, rounds, comparedBytes, emptyUploads, damagedUp, damagedDown, elapsedMs } = facts
  const { log } = world.proxy
  const sum = (of: (entry: (typeof log)[number]) => number) => log.reduce((total, entry) => total + of(entry), 0)
  const moves = (await stat(`${world.clockFile}.seen`)).size
  const memory = [...samples].map(([name, taken]) => `  ${name.padEnd(24)} ${growthWords(growthOf(taken))}`)
  return [
    `Soak with seed ${SEED}: ${(elapsedMs / 60_000).toFixed(1)} minutes, ${rounds} rounds, all copies right in each`,
    `Through the proxy: ${log.length} requests, ${gb(sum((each) => each.requestBytes))} up, ${gb(sum((each) => each.responseBytes))} down; compared: ${gb(comparedBytes)}`,
    'Faults that happened:',
    ...FAULT_NAMES.map((name) => `  ${name.padEnd(24)} ${counts[name]}`),
    `  ${'clocks that moved'.padEnd(24)} ${moves} (Date of the programs; not times of files, nor Chromium)`,
    ...(world.volume === null ? ['Not done: full disk (mounting a volume takes Linux and root)'] : []),
    `Bodies damaged over S3: ${damagedUp} up, ${world.s3.service.refusedBodies} of them refused by their MD5; ${damagedDown} down`,
    `Commands given again: ${world.commandLines.map(({ name, continued }) => `${name} ${continued}`).join(', ')}`,
    `Uploads begun without an answer and left empty: ${emptyUploads}, of ${unansweredCreates(world)} such requests`,
    `Decisions left to the person: ${[...world.decisions].map(([code, times]) => `${code} ${times}`).join(', ') || 'none'}`,
    'Memory, median and what the slope comes to after the first third:',
    ...memory,
  ].join('\n')
}

function growthWords(growth: ReturnType<typeof growthOf>): string {
  if (growth === null) return 'too few samples'
  const { medianBytes, growthBytes } = growth
  return `${Math.round(medianBytes / MIB)} MiB, ${(growthBytes / MIB).toFixed(1)} MiB`
}

function gb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
