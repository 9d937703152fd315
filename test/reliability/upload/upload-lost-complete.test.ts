import { createHash, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import type { FaultRule } from '../../support/fault-server/fault-rules.ts'
import { createUploadDesk, KEY, type OpenUploadDesk, type UploadDesk } from '../../support/window/upload-desk.ts'

/** Parts 32 times smaller: what becomes of an upload has nothing to do with how large they are. */
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  return smallerLimits(await original<typeof Limits>(), 32)
})

/** The lost-Complete matrix: what the client sees of its Complete × what becomes of it × what happens to the app. */
const complete = { method: 'POST', query: { uploadId: true } }
const BODY = JSON.stringify({ Location: '/', Bucket: 'demo', Key: KEY, ETag: `"${'0'.repeat(32)}-2"` })
const response = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'response', status, body, headers: { 'content-type': 'application/json', ...headers } }) as const
const refusal = (status: number, code: string) => response(status, JSON.stringify({ Error: { Code: code } }))
const first = { ...complete, attempt: 1 }

/** What the client sees. Each gets `happen`, to be called at the moment the answer is lost. */
const SIGHTS = {
  'reset before send': (happen) => [{ when: first, first: happen, fault: { kind: 'reset', at: 'request' } }],
  'reset after send': (happen) => [{ when: first, first: happen, fault: { kind: 'reset', at: 'sent' } }],
  'reset after headers': (happen) => [
    { when: first, first: happen, fault: response(200, BODY) },
    { when: first, fault: { kind: 'reset', at: 'headers' } },
  ],
  'truncated body': (happen) => [
    { when: first, first: happen, fault: response(200, BODY.slice(0, 40), { 'content-length': `${BODY.length}` }) },
  ],
  '504': (happen) => [{ when: first, first: happen, fault: response(504, '<html>504</html>') }],
  'NoSuchUpload on retry': (happen) => [
    { when: first, fault: { kind: 'reset', at: 'sent' } },
    { when: { ...complete, attempt: 2 }, first: happen, fault: refusal(404, 'NoSuchUpload') },
  ],
  '200 + error': (happen) => [{ when: first, first: happen, fault: refusal(200, 'InternalError') }],
  'white space then close': (happen) => [
    { when: first, first: happen, fault: response(200, ' \n '.repeat(50), { 'content-length': '1000' }) },
  ],
} satisfies Readonly<Record<string, (happen: () => Promise<void>) => readonly FaultRule[]>>
type Sight = keyof typeof SIGHTS

const FATES = ['committed', 'not committed', 'committed late', 'replaced by another client'] as const
type Fate = (typeof FATES)[number]
const LIVES = ['app alive', 'killed', 'clock moved'] as const

/** How long the service still works on it when it is committed late. */
const LATE_MS = 10_000
const A_DAY_AND_MORE_MS = 25 * 3600 * 1000
const FOREIGN = randomBytes(100)
const FOREIGN_MD5 = createHash('md5').update(FOREIGN).digest('hex')

const CELLS = (Object.keys(SIGHTS) as Sight[]).flatMap((sight) =>
  FATES.flatMap((fate) => LIVES.map((life) => ({ sight, fate, life }))),
)

/** Lets the fate happen, at the moment the answer is lost. */
async function decree({ others, clock, proxy }: UploadDesk, sight: Sight, fate: Fate): Promise<void> {
  const isGone = sight === 'NoSuchUpload on retry'
  switch (fate) {
    case 'committed':
      return others.complete()
    case 'not committed':
      if (isGone) await others.expire()
      return
    case 'replaced by another client':
      await others.complete()
      return others.write(FOREIGN)
    case 'committed late': {
      // Meanwhile the upload is there and busy, or hidden already.
      const busy = isGone ? refusal(404, 'NoSuchUpload') : refusal(503, 'SlowDown')
      const meanwhile = [proxy.rule({ when: complete, fault: busy })]
      if (isGone) meanwhile.push(proxy.rule({ when: { method: 'GET', query: { uploadId: true } }, fault: busy }))
      const doneAtMs = clock.monotonicMs() + LATE_MS
      clock.onWaited = async () => {
        if (clock.monotonicMs() < doneAtMs) return
        clock.onWaited = () => undefined
        await others.complete()
        for (const rule of meanwhile) rule.remove()
      }
    }
  }
}

const counts = { proven: 0, 'uploaded again': 0, question: 0 }

test.each(CELLS)('$sight, $fate, $life', async ({ sight, fate, life }) => {
  const desk = await createUploadDesk()
  const { proxy, others, clock, bytes } = desk
  let app = await desk.open()
  let dead = (): void => undefined
  const died = new Promise<void>((resolve) => (dead = resolve))
  const happen = async (): Promise<void> => {
    await decree(desk, sight, fate)
    if (life === 'clock moved') clock.shiftWallClock(sight.length % 2 === 0 ? A_DAY_AND_MORE_MS : -A_DAY_AND_MORE_MS)
    if (life !== 'killed') return
    const die = () => app.kill().then(dead)
    proxy.rule({ when: { test: () => true }, times: 1, first: die, fault: { kind: 'reset', at: 'request' } })
  }
  const faults = SIGHTS[sight](happen).map((rule) => proxy.rule({ ...rule, times: 1 }))
  const id = await app.upload()
  if (life === 'killed') {
    await died
    app = await desk.open()
  }
  const row = await settled(app, id)

  // The faults happened, and nothing was aborted while it was not known what became of the upload.
  expect(faults.map(({ hits }) => hits)).toEqual(faults.map(() => 1))
  expect(proxy.requests({ method: 'DELETE' })).toEqual([])
  const isLost = sight === 'NoSuchUpload on retry' && fate === 'not committed'
  expect(partsSent(desk)).toBe(2)
  if (fate === 'replaced by another client') {
    counts.question += 1
    expect(row).toMatchObject({ status: 'failed', error: { code: 'conflict-on-server' } })
    expect(row.error?.dispute).toEqual({
      found: { sizeBytes: FOREIGN.length, etag: FOREIGN_MD5, lastModified: expect.any(String) as unknown },
      expected: { sizeBytes: bytes.length, etag: expect.stringMatching(/^[0-9a-f]{32}-2$/) as unknown },
    })
    expect(await others.content()).toEqual(FOREIGN)
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed', verification: 'etag-multipart' })
  } else if (isLost) {
    counts['uploaded again'] += 1
    expect(row).toMatchObject({ status: 'failed', error: { code: 'upload-lost' } })
    expect(await others.content()).toBeNull()
    await app.engine.startOver([id])
    await app.until(id, { status: 'completed', verification: 'etag-multipart' })
    expect(partsSent(desk)).toBe(4)
  } else {
    counts.proven += 1
    expect(row).toMatchObject({ status: 'completed', verification: 'etag-multipart' })
  }
  expect((await others.content())?.equals(bytes)).toBe(true)
  expect(await others.uploadIds()).toEqual([])
})

function settled(app: OpenUploadDesk, id: string) {
  return app.until(id, { status: expect.stringMatching(/completed|failed/) as unknown })
}

function partsSent({ proxy }: UploadDesk): number {
  return proxy.requests({ method: 'PUT', query: { partNumber: true } }).length
}

describe('the matrix', () => {
  afterAll(() => {
    const said = Object.entries(counts).map(([end, count]) => `${count} ${end}`)
    console.log(`Lost Complete: ${said.join(', ')}, 0 false successes, 0 aborts of an unknown outcome`)
  })

  test('has every cell', () => {
    expect(CELLS).toHaveLength(96)
  })
})
