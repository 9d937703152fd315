import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import {
  claimedBytes,
  downloadWith,
  expectFile,
  OBJECT_BYTES as SIZE,
  pauseAt,
  PROVEN as DONE,
  SIZE_ONLY,
} from '../../support/worlds/download-steps.ts'
import { downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import type { FaultRule } from '../../support/fault-server/fault-rules.ts'

/** Everything 8 times smaller: what counts is how many requests there are, not how long each is. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return smallerLimits(await original<typeof Limits>(), 8)
})

const MIDDLE = { method: 'GET', covers: 18 * MIB }
const NO_ETAG: FaultRule = { fault: { kind: 'headers', set: { ETag: null } } }
/** The object has been at rest for years when it is answered. */
const OLD: FaultRule = { fault: { kind: 'headers', set: { 'Last-Modified': 'Tue, 01 Jan 2019 00:00:00 GMT' } } }

test.each([
  ['by another of the same size in the same second', {}, SIZE],
  ['by a shorter one', {}, 9 * MIB],
  ['by a longer one', {}, SIZE + 7 * MIB],
  ['behind a link', { asLink: true }, SIZE],
])('T07: an object replaced between two ranges, %s, comes entirely in its new version', async (_how, options, size) => {
  const fixture = await downloadFixture(randomBytes(SIZE), options)
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  // All that ask for it wait: a connection that takes the bytes over from a slow one must not end the old version.
  fixture.proxy.rule({ when: MIDDLE, fault: { kind: 'stall', at: 'request', until } })
  const running = fixture.begin()
  await fixture.proxy.seen(MIDDLE)
  const bytes = randomBytes(size)
  await fixture.put(bytes)
  release()
  expect(await running.outcome).toEqual(DONE)
  await expectFile(fixture, bytes)
  expect(running.log.join('\n')).toContain('The object changed on the server')
})

test('T07: without any version to tell, an object replaced in mid-download never mixes with its old self', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  fixture.proxy.rule(NO_ETAG)
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  const stall = { kind: 'stall', at: { responseBytes: 5 * MIB }, until } as const
  fixture.proxy.rule({ when: { ranged: false }, times: 1, fault: stall })
  fixture.proxy.rule({ when: { ranged: false }, times: 1, fault: { kind: 'reset', at: { responseBytes: 6 * MIB } } })
  const running = fixture.begin()
  await fixture.proxy.seen({ ranged: false })
  const bytes = randomBytes(SIZE)
  await fixture.put(bytes)
  release()
  expect(await running.outcome).toEqual(SIZE_ONLY)
  await expectFile(fixture, bytes)
})

test('T09: the whole object in response to bytes=K- is skipped to K, not appended', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const kept = await pauseAt(fixture, 12 * MIB)
  const ignoring = fixture.proxy.rule({ fault: { kind: 'ignore-range' } })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(ignoring.hits).toBeGreaterThan(0)
  expect(resumed.progress.movedBytes).toBe(SIZE - kept)
  await expectFile(fixture, bytes)
})

test('T09: a service that ignores ranges is not asked for them again for a day', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const ignoring = fixture.proxy.rule({ fault: { kind: 'ignore-range' } })
  expect(await fixture.begin().outcome).toEqual(DONE)
  ignoring.remove()
  const again = async (nowMs: number) => {
    const before = fixture.proxy.log.length
    const path = `${fixture.target}-${nowMs}`
    await fixture.enter({ targetPath: path, identity: null, partialPath: null, publishing: null })
    const clock = { ...fixture.clock, nowMs: () => nowMs }
    expect(await fixture.begin({ clock }).outcome).toEqual(DONE)
    expect(await sha256OfFile(path)).toBe(sha256(bytes))
    return fixture.proxy.log.slice(before).map(({ headers }) => headers.range !== undefined)
  }
  expect(await again(Date.now() + 23 * 3_600_000)).toEqual([false])
  expect(await again(Date.now() + 25 * 3_600_000)).toContain(true)
})

test('T10: nothing is written of a 206 that starts at 0 in response to bytes=K-', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const kept = await pauseAt(fixture, 12 * MIB)
  const lie = { 'Content-Range': `bytes 0-${8 * MIB - 1}/${SIZE}` }
  fixture.proxy.rule({ times: 1, fault: { kind: 'headers', set: lie } })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.log.join('\n')).toContain('response does not match the request')
  expect(resumed.progress.movedBytes).toBe(SIZE - kept)
  await expectFile(fixture, bytes)
})

const SHORT_RANGES = { when: { ranged: true, covers: 18 * MIB }, fault: { kind: 'shorten', bytes: MIB } } as const

test.each<[string, FaultRule[]]>([
  ['Content-Length', [SHORT_RANGES]],
  ['the last chunk', [SHORT_RANGES, { when: SHORT_RANGES.when, fault: { kind: 'framing', as: 'chunked' } }]],
])('T14: ranges whose body, agreeing with %s, is shorter than Content-Range are not done', async (_what, rules) => {
  // A second connection could have the bytes before the fault has struck.
  const { bytes, fixture, outcome, hits } = await downloadWith(rules, {}, undefined, { connections: 1 })
  expect(outcome).toEqual(DONE)
  expect(hits.every((count) => count > 0)).toBe(true)
  await expectFile(fixture, bytes)
})

test('T14: the whole object, shorter than a known size, is refused and what was there is kept', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  const kept = await pauseAt(fixture, 12 * MIB)
  fixture.proxy.rule({ fault: { kind: 'ignore-range' } })
  fixture.proxy.rule({ fault: { kind: 'shorten', bytes: 15 * MIB } })
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed', error: { code: 'range-not-answered' } })
  expect(await claimedBytes(fixture)).toBe(kept)
})

test.each<[string, FaultRule[]]>([
  ['a Content-Length that is too long', [{ times: 3, fault: { kind: 'close', at: { responseBytes: 2 * MIB } } }]],
  [
    'no last chunk',
    [
      { times: 3, fault: { kind: 'framing', as: 'chunked' } },
      { times: 3, fault: { kind: 'close', at: { responseBytes: 2 * MIB } } },
    ],
  ],
])('T15: an early close with %s resumes where it was', async (_what, rules) => {
  const { bytes, fixture, running, outcome } = await downloadWith(rules)
  expect(outcome).toEqual(DONE)
  expect(running.progress.movedBytes).toBe(SIZE)
  await expectFile(fixture, bytes)
})

const STORED_GZIP = gzipSync(randomBytes(9 * MIB), { level: 1 })

test.each([{}, { asLink: true }])('T64: stored gzip bytes are saved as they are stored (%j)', async (options) => {
  const { fixture, outcome } = await downloadWith(
    [{ fault: { kind: 'headers', set: { 'Content-Encoding': 'gzip' } } }],
    options,
    STORED_GZIP,
  )
  expect(outcome).toEqual(DONE)
  await expectFile(fixture, STORED_GZIP)
  expect(fixture.proxy.log.map(({ headers }) => headers['accept-encoding'])).not.toContain(undefined)
  expect(new Set(fixture.proxy.log.map(({ headers }) => headers['accept-encoding']))).toEqual(new Set(['identity']))
})

test.each<[string, FaultRule[]]>([
  ['of ranges', [{ when: MIDDLE, times: 1, fault: { kind: 'encode', encoding: 'gzip' } }]],
  ['of ranges, always', [{ when: { ranged: true }, fault: { kind: 'encode', encoding: 'deflate', weakens: false } }]],
])('T64: a proxy that encodes responses %s corrupts nothing', async (_what, rules) => {
  const { bytes, fixture, running, outcome } = await downloadWith(rules, { asLink: true })
  expect(outcome).toEqual(DONE)
  expect(running.log.join('\n')).toMatch(/Content-Encoding (gzip|deflate), which was not asked for/)
  await expectFile(fixture, bytes)
})

test.each([true, false])(
  'T64: a proxy that encodes everything is refused honestly (weak ETag: %s)',
  async (weakens) => {
    const { fixture, outcome } = await downloadWith([{ fault: { kind: 'encode', encoding: 'gzip', weakens } }], {
      asLink: true,
    })
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'range-not-answered' } })
    expect(await fixture.files()).toEqual([])
  },
)

test('a service without ETags resumes by Last-Modified, once the object has been at rest for a minute', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes, { asLink: true })
  fixture.proxy.rule(NO_ETAG)
  fixture.proxy.rule(OLD)
  const kept = await pauseAt(fixture, 12 * MIB)
  expect(kept).toBeGreaterThanOrEqual(12 * MIB)
  fixture.restart()
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(SIZE_ONLY)
  expect(resumed.progress.movedBytes).toBe(SIZE - kept)
  await expectFile(fixture, bytes)
  const conditions = new Set(fixture.proxy.log.map(({ headers }) => headers['if-unmodified-since']))
  expect([...conditions].filter(Boolean)).toEqual(['Tue, 01 Jan 2019 00:00:00 GMT'])
})

test('an object without an ETag whose Last-Modified changes is downloaded again as a whole', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE), { asLink: true })
  fixture.proxy.rule(NO_ETAG)
  const old = fixture.proxy.rule(OLD)
  await pauseAt(fixture, 12 * MIB)
  const bytes = randomBytes(SIZE)
  await fixture.put(bytes)
  old.remove()
  expect(await fixture.begin().outcome).toEqual(SIZE_ONLY)
  await expectFile(fixture, bytes)
})

test('a service without ETags, whose object was written a moment ago, is read in one go', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith(
    [NO_ETAG, { when: { ranged: false }, times: 1, fault: { kind: 'reset', at: { responseBytes: 6 * MIB } } }],
    { asLink: true },
  )
  expect(outcome).toEqual(SIZE_ONLY)
  expect(running.log.join('\n')).toContain('does not identify the object’s version')
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE })
  await expectFile(fixture, bytes)
})
