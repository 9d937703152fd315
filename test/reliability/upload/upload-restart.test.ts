import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MIB, RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'
import { startCli } from '../../support/tools/run-cli.ts'
import { createUploadDesk, PART } from '../../support/window/upload-desk.ts'
import { abort, response, anyPart, complete, once, part } from './upload-case.ts'

const VERIFIED = { status: 'completed', verification: 'etag-multipart' }
const DAY_MS = 86_400_000

test('T42: restarted after 7 of 12 parts: the other 5 are sent, and what was in flight', async () => {
  const desk = await createUploadDesk(11 * PART + 5)
  const { proxy } = desk
  const eighth = { ...anyPart, query: { partNumber: 8 } }
  const stalled = proxy.rule({ when: eighth, fault: { kind: 'stall', at: 'request' } })
  const app = await desk.open({ connectionsPerTransfer: 1 })
  const id = await app.upload()
  await proxy.seen(eighth)
  await app.until(id, { confirmedBytes: 7 * PART })
  await app.kill()
  stalled.remove()
  const before = proxy.requests(anyPart).length
  const later = await desk.open({ connectionsPerTransfer: 1 })
  await later.until(id, VERIFIED)
  const again = proxy.requests(anyPart).slice(before)
  // What might still be on its way lets others go first.
  expect(again.map(({ url }) => Number(/partNumber=(\d+)/.exec(url)?.[1]))).toEqual([11, 12, 8, 9, 10])
  expect((await desk.others.content())?.equals(desk.bytes)).toBe(true)
  expect(await desk.others.uploadIds()).toEqual([])
})

test('T53: a server that goes away between two parts is waited for, and got by where it was', async () => {
  const desk = await createUploadDesk(2 * PART + 5)
  const stalled = desk.proxy.rule({ when: part, times: 1, fault: { kind: 'stall', at: 'request' } })
  const app = await desk.open({ connectionsPerTransfer: 1 })
  const id = await app.upload()
  await desk.proxy.seen(part)
  const up = await desk.proxy.down()
  let waits = 0
  desk.clock.onWaited = () => (waits += 1)
  await app.until(id, { status: 'waiting', wait: { reason: 'network' } })
  stalled.remove()
  await up()
  await app.until(id, VERIFIED)
  expect(waits).toBeGreaterThan(0)
  expect(desk.proxy.requests({ ...anyPart, query: { partNumber: 1 } })).toHaveLength(1)
})

test('T54: after sleep, connections are new, nothing counts as a failed try, and parts that were sent are kept', async () => {
  const desk = await createUploadDesk()
  const stalled = desk.proxy.rule({ when: part, fault: { kind: 'stall', at: 'request' } })
  const app = await desk.open({ connectionsPerTransfer: 1 })
  const id = await app.upload()
  await desk.proxy.seen(part)
  await app.engine.suspend()
  const before = desk.proxy.connectionCount
  await (
    await desk.proxy.down()
  )()
  stalled.remove()
  app.dropConnections()
  app.engine.wake()
  await app.until(id, VERIFIED)
  expect(desk.proxy.connectionCount).toBeGreaterThan(before)
  expect(app.history(id)).not.toMatch(/Trying again/)
  expect(desk.proxy.requests({ ...anyPart, query: { partNumber: 1 } })).toHaveLength(1)
})

test.each([-DAY_MS, DAY_MS])(
  'T55: a wall clock that jumps by %i ms while an upload waits changes no wait',
  async (byMs) => {
    const desk = await createUploadDesk()
    const jump = () => {
      desk.clock.shiftWallClock(byMs)
    }
    desk.proxy.rule({ when: part, times: 1, first: jump, fault: response(503, '', { 'retry-after': '5' }) })
    const app = await desk.open({ connectionsPerTransfer: 1 })
    const startMs = desk.clock.monotonicMs()
    await app.until(await app.upload(), VERIFIED)
    const waitedMs = desk.clock.monotonicMs() - startMs
    expect(waitedMs).toBeGreaterThanOrEqual(5000)
    expect(waitedMs).toBeLessThan(DAY_MS)
  },
)

test('T59: of two equal put commands one works, and the other says so', async () => {
  const world = await createCliWorld()
  await writeFile(world.path('file'), randomBytes(20 * MIB))
  const put = ['put', world.path('file'), 'object']
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  world.proxy.rule({ when: complete, fault: { kind: 'stall', at: 'request', until } })
  const first = world.start(...put)
  await world.proxy.seen(anyPart)
  const second = await world.run(...put)
  expect(second).toMatchObject({ status: 1, stderr: 'sluice: The same command is running already.\n' })
  release()
  expect((await first.ended).status).toBe(0)
  expect(world.proxy.requests(complete)).toHaveLength(1)
  expect((await world.run('uploads', 'list')).lines).toEqual([])
})

test.each([
  ['50 MB', { body: '', fillerBytes: 50_000_000 }],
  ['HTML', { body: '<Error><Code>AccessDenied</Code><Message>&lt;img src=x&gt;</Message></Error>' }],
])('T67: an error of %s to a part is text of bounded length', async (_what, body) => {
  const desk = await createUploadDesk()
  desk.proxy.rule({ when: part, fault: { ...response(403), ...body } })
  const app = await desk.open()
  const { error } = await app.until(await app.upload(), { status: 'failed', error: { code: 'access-denied' } })
  expect(JSON.stringify(error).length).toBeLessThan(2000)
})

test('T70: a put that is killed leaves no secret behind, nor does one that fails', async () => {
  const world = await createCliWorld()
  const secret = 'c7b1d5a0-very-secret'
  const environment = { ...world.environment, SLUICE_ACCESS_KEY: 'AKID', SLUICE_SECRET_KEY: secret }
  await writeFile(world.path('file'), randomBytes(20 * MIB))
  const killed = startCli(['put', world.path('file'), 'object', '--limit-rate', '2M'], environment)
  await world.proxy.seen(anyPart)
  killed.process.kill('SIGKILL')
  await killed.ended
  world.proxy.rule({ fault: response(403) })
  const failed = await startCli(['put', world.path('file'), 'other'], environment).ended
  expect(failed.status).toBe(1)
  const signatures = world.proxy.log.flatMap(({ headers }) => headers.authorization?.split(':').slice(1) ?? [])
  expect(signatures.length).toBeGreaterThan(0)
  const left = await readdir(world.stateFolder, { recursive: true, withFileTypes: true })
  const files = left.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(0)
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')))
  const everything = [...texts, failed.stderr, JSON.stringify(failed.lines)].join('\n')
  expect([secret, 'Authorization', ...signatures].filter((word) => everything.includes(word))).toEqual([])
})

test('T71: Retry-After of a day is asked about again after two minutes, and aborts nothing', async () => {
  const desk = await createUploadDesk()
  for (const rule of once(part, response(503, '', { 'retry-after': '86400' }))) desk.proxy.rule(rule)
  const app = await desk.open({ connectionsPerTransfer: 1 })
  const startMs = desk.clock.monotonicMs()
  await app.until(await app.upload(), VERIFIED)
  const waitedMs = desk.clock.monotonicMs() - startMs
  expect(waitedMs).toBeGreaterThanOrEqual(RETRY_AFTER_CAP_MS - 1000)
  expect(waitedMs).toBeLessThan(DAY_MS)
  expect(desk.proxy.requests(abort)).toEqual([])
})
