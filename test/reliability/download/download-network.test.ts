import { randomBytes } from 'node:crypto'
import * as https from 'node:https'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { MIB, RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import type * as Limits from '../../../shared/limits.ts'
import { createUrlStore } from '../../../electron/stores/index.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { createFastClock, downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { listenUntilTestEnds, startScript } from '../../support/servers/scripted-server.ts'
import { CERTIFICATE } from '../../support/servers/untrusted-certificate.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

// The client's watchdogs run by the system's clock.
vi.mock('../../../shared/limits.ts', async (original) => ({
  ...(await original<typeof Limits>()),
  HEADERS_TIMEOUT_MS: 2000,
  IDLE_TIMEOUT_MS: 2000,
}))

const SIZE = 10 * MIB + 5
const SMALL = 300_000
const KEYS = { accessKeyId: 'AKID', secretAccessKey: 'a very secret secret' }
const DONE = { kind: 'completed', verification: 'etag-md5' }

test('T33: a signed request is never sent on to where a redirect points', async () => {
  const other = await startScript([{ status: 200, body: 'x' }])
  const fixture = await downloadFixture(randomBytes(SMALL), { credentials: KEYS })
  const headers = { location: `${other.endpoint}/demo/data/set.bin` }
  fixture.proxy.rule({ fault: { kind: 'response', status: 307, headers } })
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'refused-by-server' } })
  expect(other.requests).toEqual([])
  expect(fixture.proxy.log.length).toBe(1)
})

test('T33: where a link led is gone to for each range, and nothing of ours goes along but what to get', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes, { asLink: true })
  const elsewhere = fixture.proxy.endpoint.replace('127.0.0.1', 'localhost')
  const moved = { location: `${elsewhere}/demo/data/set.bin?moved` }
  fixture.proxy.rule({ when: { query: { moved: false } }, fault: { kind: 'response', status: 302, headers: moved } })
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  const asked = (isMoved: boolean) => fixture.proxy.requests({ query: { moved: isMoved } })
  const [first, second] = [asked(false), asked(true)]
  expect(second.length).toBeGreaterThan(1)
  expect(first.length).toBe(1)
  expect(
    second.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /auth|cookie|referer/.test(name)),
  ).toEqual([])
})

test('T46: after 503 with Retry-After nothing is asked for until then, and the row says when', async () => {
  const fixture = await downloadFixture(randomBytes(SMALL))
  const clock = createFakeClock()
  const headers = { 'retry-after': '3' }
  fixture.proxy.rule({ times: 1, fault: { kind: 'response', status: 503, headers } })
  const running = fixture.begin({ clock })
  await whenHolds(() => expect(running.waitStates.length).toBe(1))
  expect(running.waitStates).toMatchObject([{ reason: 'server-busy', retryAtMs: clock.nowMs() + 3000 }])
  await clock.advance(2999)
  expect(fixture.proxy.log.length).toBe(1)
  await clock.advance(1)
  expect(await running.outcome).toEqual(DONE)
})

test('T49: a clock that is 20 minutes off costs exactly one more request, once', async () => {
  const now = () => Date.now() + 20 * 60_000
  const bytes = randomBytes(SMALL)
  const fixture = await downloadFixture(bytes, { credentials: KEYS, now })
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(fixture.proxy.log.map(({ status }) => status)).toEqual([403, 206])
  await fixture.enter({ targetPath: `${fixture.target}-2`, identity: null, partialPath: null, publishing: null })
  expect(await fixture.begin().outcome).toEqual(DONE)
  expect(fixture.proxy.log.map(({ status }) => status)).toEqual([403, 206, 206])
})

test('T51: a wrong secret is one request and a word about the key', async () => {
  const signsWith = { ...KEYS, secretAccessKey: 'wrong' }
  const fixture = await downloadFixture(randomBytes(SMALL), { credentials: KEYS, signsWith })
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'key-not-accepted' } })
  expect(fixture.proxy.log.length).toBe(1)
  expect(await fixture.files()).toEqual([])
})

test('T52: a stall and a trickle are given up, and hold nobody else back', async () => {
  const desk = await createDownloadDesk(createFastClock(true))
  const contents = new Map(['stalls', 'trickles', 'one', 'two', 'three'].map((key) => [key, randomBytes(SIZE)]))
  for (const [key, bytes] of contents) await desk.put(key, bytes)
  const stall = desk.proxy.rule({ when: { path: '/stalls' }, fault: { kind: 'stall', at: 'headers' } })
  const trickle = { kind: 'limit', bytesPerSecond: 50, fromByte: 1000 } as const
  const slow = desk.proxy.rule({ when: { path: '/trickles' }, fault: trickle })
  const { download, until, history } = await desk.open({ engine: { activeTransfers: 5 } })
  const ids = new Map<string, string>()
  for (const key of contents.keys()) ids.set(key, await download(desk.link(key), key))
  const idOf = (key: string) => ids.get(key) ?? ''
  for (const key of ['one', 'two', 'three']) await until(idOf(key), { status: 'completed' })
  await whenHolds(() => expect(history(idOf('stalls'))).toMatch(/stalled|next to nothing/))
  await whenHolds(() => expect(history(idOf('trickles'))).toMatch(/next to nothing/))
  stall.remove()
  slow.remove()
  for (const [key, bytes] of contents) {
    await until(idOf(key), { status: 'completed' })
    expect(await sha256OfFile(join(desk.target, key))).toBe(sha256(bytes))
  }
})

test('T53: a server that is gone and a name that is not known are waited for; downloads go on by themselves', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(SIZE)
  await desk.put('key', bytes)
  const up = await desk.proxy.down()
  const { download, until, row } = await desk.open()
  const id = await download(desk.link('key'), 'file')
  const lost = await download('http://no-such-host.invalid/x', 'lost')
  await until(id, { status: 'waiting', wait: { reason: 'network' } })
  await until(lost, { status: 'waiting', wait: { reason: 'network' } })
  await up()
  await until(id, { status: 'completed' })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(row(lost)).toMatchObject({ status: expect.stringMatching(/waiting|preparing/) as string, error: null })
})

test('T53: a server that goes away in mid-download is picked up where it was', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(SIZE)
  await desk.put('key', bytes)
  desk.proxy.rule({ times: 1, fault: { kind: 'stall', at: { responseBytes: 2 * MIB } } })
  const { download, until } = await desk.open({ engine: { connectionsPerTransfer: 1 } })
  const id = await download(desk.link('key'), 'file')
  await desk.proxy.seen({})
  await whenHolds(() => expect(desk.proxy.log[0]?.faults).toEqual(['stall']))
  const up = await desk.proxy.down()
  await until(id, { status: 'waiting' })
  await up()
  await until(id, { status: 'completed' })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(desk.proxy.log.reduce((sum, { responseBytes }) => sum + responseBytes, 0)).toBeLessThanOrEqual(SIZE + 2 * MIB)
})

test('T54: after sleep, connections are new, nothing counts as a failed try, and the bytes are kept', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(SIZE)
  await desk.put('key', bytes)
  const stall = { kind: 'stall', at: { responseBytes: 2 * MIB } } as const
  desk.proxy.rule({ times: 1, fault: stall })
  const open = await desk.open({ engine: { connectionsPerTransfer: 1 } })
  const id = await open.download(desk.link('key'), 'file')
  await whenHolds(() => expect(desk.proxy.log[0]?.faults).toEqual(['stall']))
  await open.engine.suspend()
  const before = desk.proxy.connectionCount
  // The server, or what is between, has forgotten the connections meanwhile.
  await (
    await desk.proxy.down()
  )()
  open.dropConnections()
  open.engine.wake()
  await open.until(id, { status: 'completed' })
  expect(desk.proxy.connectionCount).toBeGreaterThan(before)
  expect(open.history(id)).not.toMatch(/lost|reach/)
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
})

test.each([-86_400_000, 86_400_000])('T55: a wall clock that jumps by %i ms changes no wait', async (byMs) => {
  const fixture = await downloadFixture(randomBytes(SMALL))
  const clock = createFakeClock()
  const headers = { 'retry-after': '5' }
  fixture.proxy.rule({ times: 1, fault: { kind: 'response', status: 503, headers } })
  const running = fixture.begin({ clock })
  await whenHolds(() => expect(running.waitStates.length).toBe(1))
  clock.shiftWallClock(byMs)
  await clock.advance(4999)
  expect(fixture.proxy.log.length).toBe(1)
  await clock.advance(1)
  expect(await running.outcome).toEqual(DONE)
})

const LAUGHS = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">${'bcdefghi'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index] ?? ''};`.repeat(10)}">`)
  .join('')}]><Error><Code>AccessDenied</Code><Message>&i;</Message></Error>`

test.each([
  ['50 MB', { body: '', fillerBytes: 50_000_000 }],
  ['entities within entities', { body: LAUGHS }],
  ['HTML', { body: '<Error><Code>AccessDenied</Code><Message>&lt;img src=x onerror=alert(1)></Message></Error>' }],
])('T67: an error of %s is text of bounded length', async (_what, body) => {
  const fixture = await downloadFixture(randomBytes(SMALL))
  fixture.proxy.rule({ fault: { kind: 'response', status: 403, ...body } })
  const outcome = await fixture.begin().outcome
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'access-denied' } })
  expect(JSON.stringify(outcome).length).toBeLessThan(2000)
  await fixture.proxy.settled()
  expect(fixture.sentBytes()).toBeLessThan(16 * MIB)
})

test('T67: a flood of headers is a response that could not be read', async () => {
  const bytes = randomBytes(SMALL)
  const fixture = await downloadFixture(bytes)
  const set = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-flood-${index}`, 'x'.repeat(4000)]))
  fixture.proxy.rule({ times: 2, fault: { kind: 'headers', set } })
  const running = fixture.begin()
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('T68: a certificate that nobody vouches for gets not one byte of a request', async () => {
  const fixture = await downloadFixture(randomBytes(SMALL))
  const seen: string[] = []
  const server = https.createServer(CERTIFICATE, (request, response) => {
    seen.push(request.url ?? '')
    response.end('x')
  })
  const store = createUrlStore(`${await listenUntilTestEnds(server, 'https')}/file?signature=secret`)
  const outcome = await fixture.begin({ store }).outcome
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'certificate-untrusted' } })
  expect(JSON.stringify(outcome)).not.toContain('secret')
  expect(seen).toEqual([])
  await store.close()
})

test('T69: 407 asks a person, at once, and no key is given to a proxy', async () => {
  const fixture = await downloadFixture(randomBytes(SMALL), { credentials: KEYS })
  const headers = { 'proxy-authenticate': 'Basic realm="office"' }
  fixture.proxy.rule({ fault: { kind: 'response', status: 407, headers } })
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'proxy-sign-in' } })
  expect(fixture.proxy.log.length).toBe(1)
  expect(fixture.proxy.log[0]?.headers).not.toHaveProperty('proxy-authorization')
})

test('T71: Retry-After of a day stops one row only, can be cut short, and is there after a restart', async () => {
  // Its minutes pass no faster than they do: the wait goes on until the person has cut it short.
  const desk = await createDownloadDesk(createSystemClock())
  await desk.put('busy', randomBytes(SMALL))
  await desk.put('free', randomBytes(SMALL))
  const headers = { 'retry-after': '86400' }
  const busy = { when: { path: '/busy' }, fault: { kind: 'response', status: 503, headers } } as const
  const rule = desk.proxy.rule(busy)
  const first = await desk.open()
  const id = await first.download(desk.link('busy'), 'busy')
  const { wait } = await first.until(id, { status: 'waiting', wait: { reason: 'server-busy' } })
  // What may be a mistake is asked about again after two minutes.
  expect(wait?.retryAtMs).toBeGreaterThan(Date.now() + 60_000)
  expect(wait?.retryAtMs).toBeLessThanOrEqual(Date.now() + RETRY_AFTER_CAP_MS)
  await first.until(await first.download(desk.link('free'), 'free'), { status: 'completed' })
  await first.engine.close()

  const asked = desk.proxy.requests({ path: '/busy' }).length
  const second = await desk.open()
  await second.until(id, { status: 'waiting', wait: { reason: 'server-busy', retryAtMs: wait?.retryAtMs } })
  expect(desk.proxy.requests({ path: '/busy' }).length).toBe(asked)
  rule.remove()
  await second.engine.retry([id])
  await second.until(id, { status: 'completed' })
})
