import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { totalLength } from '../../../electron/engine/core/byte-ranges.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import { crc32 } from '../../../electron/checksums/crc32.ts'
import { inspectPartial } from '../../../electron/engine/partial-file/adopt-partial.ts'
import { createEngine, openCheckpointStore } from '../../../electron/engine/index.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { LoggedRequest } from '../../support/fault-server/fault-exchange.ts'
import { downloadFixture, sha256, sha256OfFile, type DownloadFixture } from '../../support/worlds/download-fixture.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const SIZE = 40 * MIB + 5
/** Who looks at what came from elsewhere. */
const READER = { fileSystem: fs, sidecarKey: randomBytes(32) }
const HERE = { kind: 'place', placeId: 'elsewhere', bucket: 'demo' } as const

/** A partial file with some of the bytes, carried into another folder. */
async function carriedPartial(bytes: Uint8Array) {
  const fixture = await downloadFixture(bytes)
  const running = fixture.begin({ onMoved: (moved) => moved >= 20 * MIB && running.stop('pause') })
  await running.outcome
  const [record] = fixture.checkpoints.records.values()
  const { partialPath } = record as DownloadRecord
  const folder = await tempDir()
  const path = join(folder, '.whatever.part')
  await fs.copyFile(partialPath ?? '', path)
  await fs.copyFile(`${partialPath ?? ''}.json`, `${path}.json`)
  return { fixture, folder, path, claimed: await fixture.checkpoints.ranges(record?.id ?? '') }
}

/** What a request asks for, from `start` to before `end` (bytes). */
function rangeOf({ headers }: LoggedRequest): { readonly start: number; readonly end: number } {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  return { start: Number(first ?? 0), end: Number(last ?? SIZE) + 1 }
}

/** An engine that has never heard of it. */
async function otherEngine({ store }: DownloadFixture, sidecarKey: Uint8Array = randomBytes(32), state?: string) {
  const clock = createSystemClock()
  const checkpoints = await openCheckpointStore(state ?? join(await tempDir(), 'queue.db'), clock)
  const hasher = await createTestHasher()
  const deps = { clock, random: Math.random, uuid: randomUUID, sidecarKey, fileSystem: fs, hasher, checkpoints }
  const engine = createEngine(
    { ...deps, openStore: () => store },
    {
      activeTransfers: 3,
      connectionsPerTransfer: 4,
      limits: NO_LIMITS,
      partSizeBytes: null,
      giveUpAfterMs: null,
    },
  )
  onTestFinished(() => engine.close())
  await engine.load()
  return engine
}

const LEFT = ['.whatever.part', '.whatever.part.json']

test.each([
  ['.whatever.part', 'another computer is copied and', randomBytes(32), LEFT],
  ['.whatever.part.json', 'another computer is copied and', randomBytes(32), LEFT],
  ['.whatever.part', 'this user is taken over and', SIDECAR_KEY, []],
])('%s of %s goes on here', async (name, _whose, sidecarKey, left) => {
  const bytes = randomBytes(SIZE)
  const { fixture, folder, claimed } = await carriedPartial(bytes)
  const askedBefore = fixture.proxy.log.length
  const path = join(folder, name)
  const found = await inspectPartial(READER, path)
  expect(found).toMatchObject({
    key: 'data/set.bin',
    endpoint: fixture.proxy.endpoint,
    targetPath: join(folder, 'set.bin'),
  })
  const engine = await otherEngine(fixture, sidecarKey)
  const { key, targetPath } = found
  const request = { location: HERE, key, targetPath, onConflict: 'keep-both' } as const
  await engine.adoptPartial(path, request)
  await expect(engine.adoptPartial(path, request)).rejects.toMatchObject({ problem: 'in-list' })
  await engine.idle()
  expect(engine.snapshot().rows).toMatchObject([{ status: 'completed', verification: 'etag-md5' }])
  expect(await sha256OfFile(targetPath)).toBe(sha256(bytes))
  expect((await fs.readdir(folder)).toSorted()).toEqual([...left, 'set.bin'])
  expect(totalLength(claimed)).toBeGreaterThan(15 * MIB)
  const exchanges = fixture.proxy.log.slice(askedBefore)
  const again = exchanges
    .map(rangeOf)
    .filter((range) => claimed.some(({ start, end }) => range.start < end && start < range.end))
  expect(again).toEqual([])
  // Slow connections may share out what is left, some of it twice, but never all of it.
  const sent = exchanges.reduce((sum, { responseBytes }) => sum + responseBytes, 0)
  expect(sent).toBeLessThan(1.5 * (SIZE - totalLength(claimed)))
})

test('bytes that are not what the sidecar says are fetched again', async () => {
  const bytes = randomBytes(SIZE)
  const { fixture, path } = await carriedPartial(bytes)
  const file = await fs.open(path, 'r+')
  await file.write(Buffer.alloc(3 * MIB), 0, 3 * MIB, 2 * MIB)
  await file.close()
  const engine = await otherEngine(fixture)
  const { key, targetPath } = await inspectPartial(READER, path)
  await engine.adoptPartial(path, { location: HERE, key, targetPath, onConflict: 'keep-both' })
  await engine.idle()
  expect(await sha256OfFile(targetPath)).toBe(sha256(bytes))
})

/** A sidecar whose writer is another process of this computer; by default as earlier versions wrote it. */
function ownedBy(sidecar: string, pid: number, start = ''): string {
  return sidecar.replace(/"owner":"[^"]*",("ownerStart":[^,]*,)?/, `"owner":"${hostname()}/${pid}",${start}`)
}

/** A process that has got the id of one that ended. */
async function heirOfId(): Promise<number> {
  const heir = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void heir.kill())
  await once(heir, 'spawn')
  return heir.pid ?? 0
}

test('a partial file whose writer ended goes on, even if another program has got its process id', async () => {
  const { path } = await carriedPartial(randomBytes(SIZE))
  const sidecar = await fs.readFile(`${path}.json`, 'utf8')
  const id = await heirOfId()
  if (process.platform === 'linux') {
    await fs.writeFile(`${path}.json`, ownedBy(sidecar, id, '"ownerStart":"another start/1",'))
    expect(await inspectPartial(READER, path)).toMatchObject({ partialPath: path })
  }
  // An earlier version noted no start, but wrote before the other program began.
  await fs.writeFile(`${path}.json`, ownedBy(sidecar, id))
  const earlier = new Date(Date.now() - 6 * 60_000)
  await fs.utimes(`${path}.json`, earlier, earlier)
  expect(await inspectPartial(READER, path)).toMatchObject({ partialPath: path })
})

test.runIf(process.platform === 'linux')('a partial file whose writer runs is in use, however old it is', async () => {
  const { path } = await carriedPartial(randomBytes(SIZE))
  const sidecar = await fs.readFile(`${path}.json`, 'utf8')
  const id = await heirOfId()
  const [boot, facts] = await Promise.all(
    ['/proc/sys/kernel/random/boot_id', `/proc/${id}/stat`].map((name) => fs.readFile(name, 'utf8')),
  )
  const ticks = facts?.replace(/^.*\) /s, '').split(' ')[19] ?? ''
  await fs.writeFile(`${path}.json`, ownedBy(sidecar, id, `"ownerStart":"${boot?.trim() ?? ''}/${ticks}",`))
  const earlier = new Date(Date.now() - 6 * 60_000)
  await fs.utimes(`${path}.json`, earlier, earlier)
  await expect(inspectPartial(READER, path)).rejects.toMatchObject({ problem: 'in-use' })
  process.kill(id, 'SIGKILL')
  await expect.poll(() => inspectPartial(READER, path).catch(() => null)).toMatchObject({ partialPath: path })
})

test('what can’t be continued is refused and left alone', async () => {
  const { path } = await carriedPartial(randomBytes(SIZE))
  const sidecar = await fs.readFile(`${path}.json`, 'utf8')
  const refusal = (problem: string) => expect(inspectPartial(READER, path)).rejects.toMatchObject({ problem })
  // What started this test runs as long as it does.
  await fs.writeFile(`${path}.json`, ownedBy(sidecar, process.ppid))
  await refusal('in-use')
  // What wrote this ended with the system, which has given its number to another since.
  const beforeBoot = new Date(Date.now() - (uptime() + 3600) * 1000)
  await fs.utimes(`${path}.json`, beforeBoot, beforeBoot)
  expect(await inspectPartial(READER, path)).toMatchObject({ partialPath: path })
  await fs.writeFile(`${path}.json`, sidecar.split('\n')[0] ?? '')
  await refusal('not-a-partial')
  await fs.writeFile(`${path}.json`, 'not JSON')
  await refusal('not-a-partial')
  await fs.unlink(`${path}.json`)
  await refusal('not-a-partial')
  await fs.unlink(path)
  await fs.symlink('/etc/hostname', path, 'junction')
  await refusal('not-a-partial')
})

test('a sidecar can’t choose a name outside its folder', async () => {
  const { path, folder } = await carriedPartial(randomBytes(SIZE))
  const sidecar = await fs.readFile(`${path}.json`, 'utf8')
  for (const [hostile, name] of [
    ['/etc/../..', '．．'],
    ['C:\\\\temp\\\\report.txt', 'report.txt'],
  ] as const) {
    await fs.writeFile(`${path}.json`, sidecar.replace(/"targetPath":"[^"]*"/, `"targetPath":"${hostile}"`))
    expect((await inspectPartial(READER, path)).targetPath).toBe(join(folder, name))
  }
})

test('a file of the person beside a sidecar of this user is not taken over', async () => {
  const bytes = randomBytes(SIZE)
  const { fixture, folder, path } = await carriedPartial(bytes)
  await fs.writeFile(path, 'mine')
  const engine = await otherEngine(fixture, SIDECAR_KEY)
  const { key, targetPath } = await engine.inspectPartial(path)
  await engine.adoptPartial(path, { location: HERE, key, targetPath, onConflict: 'keep-both' })
  await engine.idle()
  expect(await sha256OfFile(targetPath)).toBe(sha256(bytes))
  expect((await fs.readdir(folder)).toSorted()).toEqual([...LEFT, 'set.bin'])
  expect(await fs.readFile(path, 'utf8')).toBe('mine')
})

/** As `carriedPartial`, its bytes being of somebody else, who knows the object’s name, size, ETag and time. */
async function forgedPartial(bytes: Uint8Array) {
  const carried = await carriedPartial(bytes)
  const forged = Buffer.alloc(SIZE, 'x')
  await fs.writeFile(carried.path, forged)
  const [header = ''] = (await fs.readFile(`${carried.path}.json`, 'utf8')).split('\n')
  await fs.writeFile(`${carried.path}.json`, `${header}\n[0,${SIZE},${crc32(forged)}]\n`)
  return carried
}

test('what was copied of another’s file is dropped after a pause and a restart too, if it is not proven', async () => {
  const bytes = randomBytes(SIZE)
  const { fixture, path, folder } = await forgedPartial(bytes)
  const state = join(await tempDir(), 'queue.db')
  const held = fixture.proxy.rule({ when: { method: 'GET' }, fault: { kind: 'stall', at: 'response' } })
  const first = await otherEngine(fixture, SIDECAR_KEY, state)
  const { key, targetPath } = await first.inspectPartial(path)
  await first.adoptPartial(path, { location: HERE, key, targetPath, onConflict: 'keep-both' })
  await expect.poll(() => held.hits).toBeGreaterThan(0)
  await first.close()
  held.remove()
  // What our own sidecar says of the copied bytes vouches for none of them.
  const own = (await fs.readdir(folder)).find((name) => name.endsWith('.part') && !LEFT.includes(name)) ?? ''
  expect((await inspectPartial({ fileSystem: fs, sidecarKey: SIDECAR_KEY }, join(folder, own))).isOurs).toBe(false)
  const second = await otherEngine(fixture, SIDECAR_KEY, state)
  await second.idle()
  expect(second.snapshot().rows).toMatchObject([{ status: 'completed', verification: 'etag-md5' }])
  expect(await sha256OfFile(targetPath)).toBe(sha256(bytes))
  expect((await fs.readdir(folder)).toSorted()).toEqual([...LEFT, 'set.bin'])
})
