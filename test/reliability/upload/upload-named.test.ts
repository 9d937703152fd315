import { createHash } from 'node:crypto'
import { appendFile, rename, truncate, utimes } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { FaultRule } from '../../support/fault-server/fault-rules.ts'
import { createUploadDesk, KEY, PART, type UploadDesk } from '../../support/window/upload-desk.ts'
import {
  abort,
  always,
  response,
  anyPart,
  complete,
  create,
  listParts,
  listUploads,
  once,
  overwritePart,
  part,
  refusal,
} from './upload-case.ts'

const VERIFIED = { status: 'completed', verification: 'etag-multipart' }
const MINUTE_MS = 60_000

/** Begins an upload under these rules. */
async function begin(rules: readonly FaultRule[], sizeBytes?: number, connections = 1) {
  const desk = await createUploadDesk(sizeBytes)
  const handles = rules.map((rule) => desk.proxy.rule(rule))
  const app = await desk.open({ connectionsPerTransfer: connections })
  return { desk, app, handles, id: await app.upload() }
}

async function expectOneObject({ others, bytes, proxy }: UploadDesk): Promise<void> {
  expect((await others.content())?.equals(bytes)).toBe(true)
  expect(await others.uploadIds()).toEqual([])
  expect(proxy.requests(abort)).toEqual([])
}

test('T01: the service commits, then resets before any byte of its response', async () => {
  const { desk, app, id } = await begin(once(complete, { kind: 'drop-response' }))
  await app.until(id, VERIFIED)
  expect(desk.proxy.requests(anyPart)).toHaveLength(2)
  await expectOneObject(desk)
})

test('T03: killed after the Complete left the socket; the service commits', async () => {
  const desk = await createUploadDesk()
  const app = await desk.open()
  desk.proxy.rule({ when: complete, first: () => app.kill(), fault: { ...response(500), afterTarget: true } })
  const id = await app.upload()
  await desk.proxy.seen(complete)
  await desk.proxy.settled()
  const later = await desk.open()
  await later.until(id, VERIFIED)
  expect(desk.proxy.requests(complete)).toHaveLength(1)
  expect(desk.proxy.requests(anyPart)).toHaveLength(2)
  await expectOneObject(desk)
})

test('T05: 200, spaces, an error: done only after the second', async () => {
  const spaces = response(200, `${' '.repeat(50)}{"Error":{"Code":"InternalError"}}`)
  const { desk, app, id } = await begin(once(complete, spaces))
  await app.until(id, VERIFIED)
  expect(desk.proxy.requests(complete)).toHaveLength(2)
  await expectOneObject(desk)
})

test('T21: the file is touched between parts 2 and 3: not completed, and a person is asked', async () => {
  const three = { ...anyPart, query: { partNumber: 3 } }
  const { desk, app, id } = await begin([], 2 * PART + 5)
  desk.proxy.rule({
    when: three,
    first: () => utimes(desk.sourcePath, 1, 1),
    fault: { kind: 'delay', at: 'request', delayMs: 0 },
  })
  await app.until(id, { status: 'failed', error: { code: 'source-changed' } })
  expect(desk.proxy.requests(complete)).toEqual([])
  // Continued with the file as it is now, whose first two parts are the same.
  await app.engine.startOver([id])
  await app.until(id, VERIFIED)
  expect(desk.proxy.requests({ ...anyPart, query: { partNumber: 1 } })).toHaveLength(1)
  await expectOneObject(desk)
})

test('T24: the file is cut short while it is read: not completed, and no hang', async () => {
  const desk = await createUploadDesk()
  const cut = () => truncate(desk.sourcePath, PART + 1)
  desk.proxy.rule({ when: part, first: cut, fault: { kind: 'reset', at: 'request' } })
  const app = await desk.open()
  await app.until(await app.upload(), { status: 'failed', error: { code: 'source-changed' } })
  expect(desk.proxy.requests(complete)).toEqual([])
})

test.each([
  ['once', 1, VERIFIED, 3],
  ['always', Infinity, { status: 'failed', error: { code: 'part-damaged' } }, 4],
] as const)('T25: the ETag of a part is not its MD5, %s', async (_, times, ends, sent) => {
  const wrong = { kind: 'headers', set: { ETag: `"${'1'.repeat(32)}"` } } as const
  const { desk, app, id } = await begin([{ when: part, times, fault: wrong }])
  await app.until(id, ends)
  expect(desk.proxy.requests(anyPart)).toHaveLength(sent)
})

test('T33: no signed request of an upload goes where a redirect points', async () => {
  const elsewhere = await createUploadDesk()
  const to = { location: `${elsewhere.proxy.endpoint}/demo/${KEY}` }
  const { app, id } = await begin([...always(create, response(307, '', to)), ...always(anyPart, response(308, '', to))])
  await app.until(id, { status: 'failed' })
  expect(elsewhere.proxy.log).toEqual([])
})

test('T38: the response to a second Complete is NoSuchUpload: done', async () => {
  const desk = await createUploadDesk()
  const commit = () => desk.others.complete()
  desk.proxy.rule({ when: complete, times: 1, fault: { kind: 'reset', at: 'sent' } })
  desk.proxy.rule({
    when: { ...complete, attempt: 2 },
    first: commit,
    fault: { kind: 'delay', at: 'request', delayMs: 0 },
  })
  const app = await desk.open()
  await app.until(await app.upload(), VERIFIED)
  expect(desk.proxy.requests(complete).map(({ status }) => status)).toEqual([null, 404])
  await expectOneObject(desk)
})

test('T39: InvalidPart for part 3: only that one is sent again', async () => {
  const desk = await createUploadDesk(3 * PART + 5)
  const spoil = () => overwritePart(desk, KEY, 3)
  desk.proxy.rule({ when: complete, times: 1, first: spoil, fault: { kind: 'delay', at: 'request', delayMs: 0 } })
  const app = await desk.open()
  await app.until(await app.upload(), VERIFIED)
  const sent = desk.proxy.requests(anyPart).map(({ url }) => /partNumber=(\d)/.exec(url)?.[1])
  expect(sent.sort()).toEqual(['1', '2', '3', '3', '4'])
  await expectOneObject(desk)
})

test('T41: the first question after a restart fails three times: what was sent is kept', async () => {
  const { desk, app, id } = await begin(once(part, { kind: 'stall', at: 'request' }))
  await desk.proxy.seen(part)
  await app.kill()
  desk.proxy.rule({ when: listParts, times: 1, fault: response(502) })
  desk.proxy.rule({ when: listParts, times: 2, fault: { kind: 'reset', at: 'request' } })
  const later = await desk.open()
  await later.until(id, VERIFIED)
  expect(desk.proxy.requests(create)).toHaveLength(1)
  expect(desk.proxy.requests(anyPart)).toHaveLength(3)
  await expectOneObject(desk)
})

test('T46: 503 with Retry-After: the next try is that much later', async () => {
  const { desk, app, id } = await begin(once(part, response(503, '', { 'retry-after': '30' })))
  let retriedMs = 0
  await desk.proxy.seen(part)
  const startMs = desk.clock.monotonicMs()
  desk.proxy.rule({
    when: part,
    first: () => (retriedMs = desk.clock.monotonicMs()),
    fault: { kind: 'delay', at: 'request', delayMs: 0 },
  })
  await app.until(id, VERIFIED)
  expect(retriedMs - startMs).toBeGreaterThanOrEqual(29_000)
  expect(app.history(id)).toMatch(/Trying again/)
})

test('T48: a minute of 500 to parts in parallel: few requests, then done', async () => {
  const { desk, app, handles, id } = await begin([{ when: anyPart, fault: response(500) }], 7 * PART, 4)
  desk.clock.onWaited = () => {
    if (desk.clock.monotonicMs() > MINUTE_MS) for (const handle of handles) handle.remove()
  }
  await app.until(id, VERIFIED)
  expect(desk.proxy.requests(anyPart).length).toBeLessThan(7 + 60)
  await expectOneObject(desk)
})

test('T49: a clock that is 20 minutes off costs the first requests, asked together, one more each', async () => {
  const desk = await createUploadDesk()
  desk.clock.shiftWallClock(20 * MINUTE_MS)
  const app = await desk.open()
  await app.until(await app.upload(), VERIFIED)
  const isRefused = desk.proxy.log.map(({ status }) => status === 403)
  const refused = isRefused.filter(Boolean)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(2)
  expect(isRefused.slice(0, refused.length)).toEqual(refused)
  await expectOneObject(desk)
})

test('T51: a wrong secret is one request and a word about the key', async () => {
  const { desk, app, id } = await begin(always(listUploads, refusal(403, 'SignatureDoesNotMatch')))
  await app.until(id, { status: 'failed', error: { code: 'key-not-accepted' } })
  expect(desk.proxy.requests(listUploads)).toHaveLength(1)
  expect(desk.proxy.requests(create)).toEqual([])
})

test('T58: the file goes away and comes back: parts that were sent are not sent again', async () => {
  const desk = await createUploadDesk()
  const away = `${desk.sourcePath}.away`
  const leave = () => rename(desk.sourcePath, away)
  desk.proxy.rule({ when: part, times: 1, first: leave, fault: { kind: 'reset', at: 'request' } })
  const app = await desk.open({ connectionsPerTransfer: 1 })
  const id = await app.upload()
  await app.until(id, { status: 'waiting', wait: { reason: 'source-missing' } })
  await rename(away, desk.sourcePath)
  await app.until(id, VERIFIED)
  expect(desk.proxy.requests({ ...anyPart, query: { partNumber: 1 } })).toHaveLength(1)
  await expectOneObject(desk)
})

test.each(['InvalidDigest', 'BadDigest'])('T63: %s on a part: read anew, sent once more, then stop', async (code) => {
  const { desk, app, id } = await begin(always(part, refusal(400, code)))
  await app.until(id, { status: 'failed', error: { code: 'part-damaged' } })
  expect(desk.proxy.requests(part)).toHaveLength(2)
  expect(desk.proxy.requests(complete)).toEqual([])
})

test('a file that grows while it is sent is not completed as it was', async () => {
  const desk = await createUploadDesk()
  const grow = () => appendFile(desk.sourcePath, createHash('md5').digest())
  desk.proxy.rule({ when: part, first: grow, fault: { kind: 'delay', at: 'response', delayMs: 0 } })
  const app = await desk.open()
  await app.until(await app.upload(), { status: 'failed', error: { code: 'source-changed' } })
  expect(desk.proxy.requests(complete)).toEqual([])
})
