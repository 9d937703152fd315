import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { MIB } from '../../../shared/limits.ts'
import { downloadFixture, sha256, sha256OfFile, type RunOptions } from '../../support/worlds/download-fixture.ts'
import type { Fault, FaultRule, RequestMatch, SeenRequest } from '../../support/fault-server/fault-rules.ts'

/** Everything 8 times smaller: an object has as many requests, and each has its fault where it had it. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return smallerLimits(await original<typeof Limits>(), 8)
})

const DONE = { kind: 'completed', verification: 'etag-md5' }
const SIZE = 40 * MIB + 5
const SEGMENT = 8 * MIB
/** Every request but the last asks for this much at least. */
const LEASE = MIB

/** Matches the ranged requests that begin in the segment with this index. */
const segment = (index: number) => ({
  test: ({ headers }: SeenRequest) => {
    const start = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1])
    return Math.floor(start / SEGMENT) === index
  },
})

/** Matches the requests after the first, wherever the line's pace lets them begin. */
const next = { test: ({ headers }: SeenRequest) => Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1]) > 0 }

function downloadWith(...rules: FaultRule[]) {
  return downloadBy({}, ...rules)
}

async function downloadBy(options: RunOptions, ...rules: FaultRule[]) {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const handles = rules.map((rule) => fixture.proxy.rule(rule))
  const running = fixture.begin(options)
  const outcome = await running.outcome
  return { bytes, fixture, running, outcome, hits: handles.map((handle) => handle.hits) }
}

/** Matches the request for the last byte, which comes when others have brought something. */
const last = { covers: SIZE - 1 }

/** A connection that breaks once there was progress is mended without a wait; what a server says is waited for. */
test.each<[string, RequestMatch, Fault, number]>([
  ['reset before the answer', last, { kind: 'reset', at: 'response' }, 0],
  ['reset at byte 0', last, { kind: 'reset', at: { responseBytes: 0 } }, 0],
  ['reset at byte 1', last, { kind: 'reset', at: { responseBytes: 1 } }, 0],
  ['reset at byte 88,001', next, { kind: 'reset', at: { responseBytes: 88_001 } }, 0],
  [
    'reset one byte before the end of what is asked for at least',
    next,
    { kind: 'reset', at: { responseBytes: LEASE - 1 } },
    0,
  ],
  ['early close', next, { kind: 'close', at: { responseBytes: 88_000 } }, 0],
  ['503 with Retry-After', last, { kind: 'response', status: 503, headers: { 'retry-after': '1' } }, 1],
  ['500', last, { kind: 'response', status: 500 }, 1],
])('%s costs only what had not arrived', async (_name, when, fault, waits) => {
  // Nobody takes the tail of a slow request from the only connection, so the fault is reached.
  const { bytes, fixture, running, outcome, hits } = await downloadBy({ connections: 1 }, { when, times: 1, fault })
  expect(outcome).toEqual(DONE)
  expect(hits).toEqual([1])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(running.waits.length).toBe(waits)
})

test.each<[string, Fault]>([
  ['reset before the answer', { kind: 'reset', at: 'response' }],
  ['reset in its head', { kind: 'reset', at: 'head' }],
])('%s to the first request of all is waited for', async (_name, fault) => {
  const { bytes, fixture, running, outcome, hits } = await downloadWith({ when: segment(0), times: 1, fault })
  expect(outcome).toEqual(DONE)
  expect(hits).toEqual([1])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(running.waits).toEqual(['network'])
})

test.each([0, 1, 4])('a fault in every third response of any segment still ends well (offset %i)', async (offset) => {
  let count = 0
  const { bytes, fixture, outcome } = await downloadWith({
    when: { method: 'GET', test: () => (count++ + offset) % 3 === 0 },
    fault: { kind: 'reset', at: { responseBytes: 2 * MIB } },
  })
  expect(outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('nothing is written of a response to another range', async () => {
  const range = `bytes 0-${SEGMENT - 1}/${SIZE}`
  const { bytes, fixture, running, outcome } = await downloadWith({
    when: next,
    times: 1,
    fault: { kind: 'headers', set: { 'Content-Range': range } },
  })
  expect(outcome).toEqual(DONE)
  expect(running.progress.movedBytes).toBe(SIZE)
  expect(running.log.join('\n')).toContain('response does not match the request')
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a range that is answered wrongly twice is read from the whole object', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith({
    when: next,
    fault: { kind: 'headers', set: { 'Content-Range': 'bytes */*' } },
  })
  expect(outcome).toEqual(DONE)
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a service that never answers a range or the object fails after a few requests', async () => {
  const { fixture, outcome } = await downloadWith({ fault: { kind: 'response', status: 304 } })
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'range-not-answered' } })
  expect(fixture.proxy.log.length).toBeLessThanOrEqual(4)
  expect(await fixture.files()).toEqual([])
})

test('a 206 with less than was asked is taken, and the rest asked for', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith(
    { when: segment(1), times: 1, fault: { kind: 'shorten', bytes: MIB } },
    {
      when: segment(1),
      times: 1,
      fault: { kind: 'headers', set: { 'Content-Range': `bytes ${SEGMENT}-${SEGMENT + MIB - 1}/${SIZE}` } },
    },
  )
  expect(outcome).toEqual(DONE)
  expect(running.progress.movedBytes).toBe(SIZE)
  expect(running.waits).toEqual([])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a short body whose Content-Length agrees is not complete', async () => {
  const { bytes, fixture, outcome } = await downloadWith({
    when: segment(1),
    times: 1,
    fault: { kind: 'shorten', bytes: MIB },
  })
  expect(outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a body that is too long is not written past its segment', async () => {
  const { bytes, fixture, outcome } = await downloadWith({
    when: segment(0),
    fault: { kind: 'lengthen', bytes: 60_000 },
    times: 1,
  })
  expect(outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a service that ignores ranges gives one stream', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith({ fault: { kind: 'ignore-range' } })
  expect(outcome).toEqual(DONE)
  expect(fixture.sentBytes()).toBe(SIZE)
  expect([...new Set(running.units.values())]).toEqual(['done'])
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('one stream that breaks goes on where it was, without writing a byte twice', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith(
    { fault: { kind: 'ignore-range' } },
    { times: 2, fault: { kind: 'reset', at: { responseBytes: 17 * MIB } } },
  )
  expect(outcome).toEqual(DONE)
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a service that starts ignoring ranges midway doesn’t cost the bytes that are already here', async () => {
  const { bytes, fixture, running, outcome } = await downloadWith({ when: next, fault: { kind: 'ignore-range' } })
  expect(outcome).toEqual(DONE)
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test.each(['ETag', 'Last-Modified'])(
  'a response with another %s ends the version; two versions never mix',
  async (name) => {
    const value = name === 'ETag' ? '"0123456789abcdef0123456789abcdef"' : 'Thu, 01 Jan 2026 00:00:00 GMT'
    const rule = { when: next, fault: { kind: 'headers' as const, set: { [name]: value } } }
    const once = await downloadWith({ ...rule, times: 1 })
    expect(once.outcome).toEqual(DONE)
    expect(await sha256OfFile(once.fixture.target)).toBe(sha256(once.bytes))
    expect(once.running.progress).toMatchObject({ confirmedBytes: SIZE, inFlightBytes: 0 })

    const always = await downloadWith(rule)
    expect(always.outcome).toMatchObject({ kind: 'failed', error: { code: 'changed-on-server' } })
    expect(await fs.readdir(always.fixture.directory)).not.toContain('set.bin')
  },
)

test('a file behind a link is taken whole from one server when each server reports a different version', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes, { asLink: true })
  const fault = { kind: 'headers' as const, set: { ETag: '"of-the-other-server"' } }
  fixture.proxy.rule({ when: next, fault })
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'completed' })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('an object replaced between two ranges is downloaded entirely in its new version', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  fixture.proxy.rule({ when: next, fault: { kind: 'stall', at: 'request', until } })
  const running = fixture.begin()
  await fixture.proxy.seen(next)
  const bytes = randomBytes(SIZE + MIB)
  await fixture.put(bytes)
  release()
  expect(await running.outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test.each([
  ['a weak ETag', 'W/"abc"'],
  ['no ETag', null],
])('%s: every try begins from nothing, and only one response makes the file', async (_name, etag) => {
  const { bytes, fixture, running, outcome } = await downloadWith(
    { fault: { kind: 'headers', set: { ETag: etag } } },
    {
      times: 1,
      when: { test: ({ headers }) => headers.range === undefined },
      fault: { kind: 'reset', at: { responseBytes: 9 * MIB } },
    },
  )
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'no-checksum' })
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(running.progress).toMatchObject({ movedBytes: SIZE, confirmedBytes: SIZE, inFlightBytes: 0 })
  expect(await fixture.files()).toEqual(['set.bin'])
})

test('a body of unknown length is taken to its end', async () => {
  const { bytes, fixture, outcome } = await downloadWith(
    { fault: { kind: 'ignore-range' } },
    { fault: { kind: 'headers', set: { 'Content-Length': null } } },
  )
  expect(outcome).toEqual(DONE)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a flipped bit is found at the end, and nothing gets the final name', async () => {
  const { fixture, outcome } = await downloadWith({
    when: next,
    fault: { kind: 'corrupt', responseByte: 1234 },
  })
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'final-mismatch' } })
  expect(await fixture.files()).not.toContain('set.bin')
  expect((await fixture.files()).length).toBe(2)
})

test('an ETag that looks like an MD5 proves nothing once the same other bytes have come twice, and that is said', async () => {
  const { bytes, fixture, running, outcome, hits } = await downloadWith(
    // The look at what the object is now may fail as any request may.
    { when: { method: 'HEAD' }, times: 1, fault: { kind: 'response', status: 503 } },
    { fault: { kind: 'headers', set: { ETag: '"0123456789abcdef0123456789abcdef"' } } },
  )
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'etag-differs' })
  expect(hits[0]).toBe(1)
  expect(running.log.join()).toMatch(/the ETag does not belong to them; only the size was checked/)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  // Read twice and no third time; copies for slow connections may come on top of that.
  expect(fixture.sentBytes()).toBeLessThan(3 * SIZE)
})

test('a pause cuts stalled connections at once and keeps what arrived', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const stall = fixture.proxy.rule({ fault: { kind: 'stall', at: { responseBytes: 125_000 } } })
  const running = fixture.begin({ onMoved: (moved) => moved === 500_000 && running.stop('pause') })
  expect(await running.outcome).toEqual({ kind: 'stopped' })
  expect(running.progress).toMatchObject({ confirmedBytes: 500_000, inFlightBytes: 0 })
  stall.remove()
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(SIZE - 500_000)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})

test('a missing object fails at once and leaves nothing behind', async () => {
  const fixture = await downloadFixture(null)
  expect(await fixture.begin().outcome).toMatchObject({
    kind: 'failed',
    error: { code: 'no-such-key', serviceCode: 'NoSuchKey', httpStatus: 404, requestId: expect.any(String) as string },
  })
  expect(fixture.proxy.log.length).toBe(1)
  expect(await fixture.files()).toEqual([])
})

test('an object deleted midway stops the download but keeps the bytes that are already here', async () => {
  const { fixture, outcome } = await downloadWith({
    when: next,
    fault: {
      kind: 'response',
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"Error":{"Code":"NoSuchKey"}}',
    },
  })
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'no-such-key' } })
  expect((await fixture.files()).length).toBe(2)
})

test('gives up after the agreed time without progress, and goes on in the next run', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const rule = fixture.proxy.rule({
    when: next,
    fault: { kind: 'response', status: 503, headers: { 'retry-after': '20' } },
  })
  expect(await fixture.begin({ giveUpAfterMs: 60_000 }).outcome).toMatchObject({ error: { code: 'gave-up-waiting' } })
  rule.remove()
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBeLessThanOrEqual(SIZE - 8 * MIB)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
})
