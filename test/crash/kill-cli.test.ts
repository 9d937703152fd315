import Database from 'libsql'
import { randomUUID } from 'node:crypto'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { joined, missingRanges, totalLength } from '../../electron/engine/core/byte-ranges.ts'
import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import { MIB } from '../../shared/limits.ts'
import type { RequestMatch } from '../support/fault-server/fault-rules.ts'
import { startFaultProxy, type FaultProxy } from '../support/fault-server/fault-server.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { runCli, startCli } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const KILLS = 20
/** `SLUICE_KILLS=200 npm test -- test/crash` kills as often in all, twenty times a transfer. */
const ROUNDS = Array.from(
  { length: Math.ceil(Number(process.env['SLUICE_KILLS'] ?? KILLS) / KILLS) },
  (_, index) => index,
)
const SIZE_BYTES = 192 * MIB
const PART_MIB = 6
const CONNECTIONS = 2
/** What one kill may cost, counted where it was sent: what was under way included. */
const MAX_SENT_TWICE_BYTES = CONNECTIONS * PART_MIB * MIB
const MAX_FETCHED_TWICE_BYTES = 16 * MIB
const PART: RequestMatch = { method: 'PUT', query: { partNumber: true } }
const COMPLETE: RequestMatch = { method: 'POST', query: { uploadId: true } }
const RANGE: RequestMatch = { method: 'GET', path: '/object', query: { uploads: false, uploadId: false } }

const told: string[] = []

afterAll(() => {
  console.log(told.join('\n'))
})

it.each(ROUNDS)(
  `finishes an upload that is killed ${KILLS} times, and sends no recorded part again (%i)`,
  { timeout: 300_000 },
  async () => {
    const { folder, proxy, environment } = await start()
    const source = join(folder, 'source')
    const digest = await writeRandomFile(source, SIZE_BYTES)
    const put = ['put', source, 'object', '--part-size', `${PART_MIB}`, '--connections', `${CONNECTIONS}`]
    const recordedAgain: number[] = []
    let recorded = new Set<number>()
    // The last kill comes before the command has looked at what its Complete made.
    const completed = { method: 'HEAD', test: () => proxy.requests(COMPLETE).length > 0 }
    const held = proxy.rule({ when: completed, fault: { kind: 'stall', at: 'request' } })
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = proxy.log.length
      const slow = kill < KILLS - 1
      const killed = await killDuring(
        proxy,
        slow ? [...put, '--limit-rate', '24M'] : put,
        environment,
        slow ? PART : COMPLETE,
        slow ? spread(kill, 800) : Math.random() * 5,
      )
      expect(killed).toBe(true)
      recordedAgain.push(...partNumbers(proxy, before).filter((partNumber) => recorded.has(partNumber)))
      recorded = new Set((await claims(folder, 'SELECT part_number AS value FROM parts')).map((row) => row.value))
    }
    held.remove()
    const before = proxy.log.length
    const last = await runCli(put, environment)
    recordedAgain.push(...partNumbers(proxy, before).filter((partNumber) => recorded.has(partNumber)))
    expect(last).toMatchObject({ status: 0, stderr: '' })
    expect(recordedAgain).toEqual([])
    expect(await downloadedDigest(folder, environment)).toBe(digest)
    expect((await runCli(['uploads', 'list'], environment)).lines).toEqual([])
    const sentBytes = proxy.requests(PART).reduce((sum, request) => sum + request.requestBytes, 0)
    expect(sentBytes - SIZE_BYTES).toBeLessThanOrEqual(KILLS * MAX_SENT_TWICE_BYTES)
    tell('upload', sentBytes)
  },
)

it.each(ROUNDS)(
  `finishes a download that is killed ${KILLS} times, and fetches little again (%i)`,
  { timeout: 300_000 },
  async () => {
    const { folder, proxy, environment } = await start()
    const source = join(folder, 'source')
    const digest = await writeRandomFile(source, SIZE_BYTES)
    expect(await runCli(['put', source, 'object'], environment)).toMatchObject({ status: 0 })
    const get = ['get', 'object', `${join(folder, 'downloads')}/`, '--connections', '4']
    // Slow where it is sent: what a client does not read in time would wait in the kernel and count as fetched.
    const slow = proxy.rule({ when: RANGE, fault: { kind: 'limit', bytesPerSecond: 2_000_000 } })
    let recorded: readonly Claim[] = []
    const fetchedAgain: string[] = []
    const sent: (readonly ByteRange[])[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = proxy.log.length
      expect(await killDuring(proxy, get, environment, RANGE, spread(kill, 1500))).toBe(true)
      fetchedAgain.push(...overlaps(proxy, before, recorded))
      sent.push(sentRanges(proxy, before))
      recorded = await claims(folder, 'SELECT start_byte AS value, end_byte AS "end" FROM ranges')
      expect(await readdir(join(folder, 'downloads'))).not.toContain('object')
    }
    slow.remove()
    const before = proxy.log.length
    const last = await runCli(get, environment)
    fetchedAgain.push(...overlaps(proxy, before, recorded))
    sent.push(sentRanges(proxy, before))
    expect(last).toMatchObject({ status: 0, stderr: '' })
    expect(recorded.length).toBeGreaterThan(0)
    expect(fetchedAgain).toEqual([])
    expect(Math.max(...sent.map((run, index) => sharedBytes(run, sent.slice(index + 1).flat())))).toBeLessThanOrEqual(
      MAX_FETCHED_TWICE_BYTES,
    )
    expect(await readdir(join(folder, 'downloads'))).toEqual(['object'])
    expect(await sha256Of(join(folder, 'downloads', 'object'))).toBe(digest)
    tell('download', totalLength(sent.flat()))
  },
)

/** One line of a finished transfer, for the table. */
function tell(what: string, movedBytes: number): void {
  const twice = ((movedBytes - SIZE_BYTES) / KILLS / MIB).toFixed(1)
  told.push(`One ${what}, killed ${KILLS} times: object right, nothing left over, ${twice} MiB a kill moved twice`)
}

/** A random moment in the share of the interval that belongs to this kill, so that early and late ones both happen. */
function spread(kill: number, intervalMs: number): number {
  return ((kill + Math.random()) / KILLS) * intervalMs
}

interface Claim {
  readonly value: number
  readonly end: number
}

async function start(): Promise<{ folder: string; proxy: FaultProxy; environment: Record<string, string> }> {
  const folder = await tempDir()
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['demo'], credentials: null })
  const proxy = await startFaultProxy({ target: store.endpoint })
  onTestFinished(async () => {
    await proxy.close()
    await store.close()
  })
  const environment = {
    SLUICE_ENDPOINT: proxy.endpoint,
    SLUICE_BUCKET: 'demo',
    SLUICE_STATE_DIR: join(folder, 'state'),
  }
  return { folder, proxy, environment }
}

/** Starts the command, waits for a request that fits, and kills it that much later; false: it ended before. */
async function killDuring(
  proxy: FaultProxy,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  when: RequestMatch,
  delayMs: number,
): Promise<boolean> {
  const alreadySeen = proxy.requests(when).length
  const running = startCli(argv, environment)
  const early = await Promise.race([proxy.seen(when, alreadySeen + 1).then(() => null), running.ended])
  if (early !== null) throw new Error(`The command ended too early: ${early.status} ${early.stderr}`)
  await new Promise((resolve) => setTimeout(resolve, delayMs))
  running.process.kill('SIGKILL')
  return (await running.ended).signal === 'SIGKILL'
}

/** What the killed process had recorded as durable, read from a copy: libsql holds its lock longer than asked. */
async function claims(folder: string, sql: string): Promise<Claim[]> {
  const [state = ''] = await readdir(join(folder, 'state'))
  const copy = join(folder, `state-${randomUUID()}`)
  await cp(join(folder, 'state', state), copy, { recursive: true })
  return new Database(join(copy, 'transfers.db')).prepare(sql).all() as Claim[]
}

function partNumbers(proxy: FaultProxy, from: number): number[] {
  return proxy
    .requests(PART)
    .filter((request) => proxy.log.indexOf(request) >= from)
    .map((request) => Number(new URL(request.url, 'http://localhost').searchParams.get('partNumber')))
}

function overlaps(proxy: FaultProxy, from: number, recorded: readonly Claim[]): string[] {
  return proxy
    .requests(RANGE)
    .filter((request) => proxy.log.indexOf(request) >= from)
    .map((request) => request.headers.range ?? 'all')
    .filter((range) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
      return recorded.some((claim) => Number(first ?? 0) < claim.end && claim.value <= Number(last ?? Infinity))
    })
}

/** What was sent of the object since the log had `from` entries. */
function sentRanges(proxy: FaultProxy, from: number): readonly ByteRange[] {
  return proxy
    .requests(RANGE)
    .filter((request) => proxy.log.indexOf(request) >= from && request.status === 206)
    .map(({ headers, responseBytes }) => {
      const start = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
      return { start, end: start + responseBytes }
    })
}

/** Bytes of `ranges` that are in `others` too. */
function sharedBytes(ranges: readonly ByteRange[], others: readonly ByteRange[]): number {
  const all = joined(others)
  return joined(ranges).reduce((sum, range) => sum + rangeLength(range) - totalLength(missingRanges(all, range)), 0)
}

async function downloadedDigest(folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, 'read-back')
  expect(await runCli(['get', 'object', path], environment)).toMatchObject({ status: 0 })
  return sha256Of(path)
}
