import { describe, expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { createUploadDesk, type UploadDesk } from '../../support/window/upload-desk.ts'
import { abort, anyPart, listParts, part, type UploadCase } from './upload-case.ts'
import { ABORT_FAULTS, UPLOAD_ROWS } from './upload-rows.ts'

// Parts are 32 times smaller: what becomes of them has nothing to do with how large they are. The client's watchdogs run
// by the system's clock.
vi.mock('../../../shared/limits.ts', async (original) => {
  const { smallerLimits } = await import('../../support/tools/smaller-limits.ts')
  const smaller = smallerLimits(await original<typeof Limits>(), 32)
  return { ...smaller, HEADERS_TIMEOUT_MS: 2000, BODY_TIMEOUT_MS: 2000, IDLE_TIMEOUT_MS: 2000 }
})

const ENDED = { status: expect.stringMatching(/completed|failed/) as unknown }

async function play({ rules, fails, says, partsSent = 2, clockOffMs = 0 }: UploadCase): Promise<void> {
  const desk = await createUploadDesk()
  const { proxy, others, bytes, clock } = desk
  clock.shiftWallClock(clockOffMs)
  const faults = rules(desk)
  // Only an upload that goes on asks for its parts.
  const begun = faults.some(({ when }) => when === listParts) ? await killedAfterPart1(desk) : null
  const partsBefore = proxy.requests(anyPart).length
  const partsLeft = begun === null ? partsSent : 1
  const handles = faults.map((rule) => proxy.rule(rule))
  const app = await desk.open()
  const id = begun ?? (await app.upload())
  const row = await app.until(id, ENDED)

  // The faults really happened; nothing was aborted, and there was no storm.
  expect(handles.every(({ hits }) => hits > 0)).toBe(true)
  expect(proxy.requests(abort)).toEqual([])
  expect(proxy.log.length).toBeLessThan(40)
  const sent = proxy.requests(anyPart).length - partsBefore
  // What fails may end before its other parts began.
  expect(sent).toBeGreaterThanOrEqual(fails === undefined ? partsLeft : 0)
  expect(sent).toBeLessThanOrEqual(partsLeft)
  if (says !== undefined) expect(app.history(id)).toMatch(says)
  if (fails !== undefined) {
    expect(row).toMatchObject({ status: 'failed', error: { code: fails } })
    expect(await others.content()).toBeNull()
    return
  }
  expect(row).toMatchObject({ status: 'completed', verification: 'etag-multipart' })
  expect((await others.content())?.equals(bytes)).toBe(true)
  expect(await others.uploadIds()).toEqual([])
}

for (const [row, cases] of Object.entries(UPLOAD_ROWS)) {
  describe(row, () => {
    test.each(cases)('$name', play)
  })
}

describe('Abort', () => {
  test.each(Object.entries(ABORT_FAULTS))('%s', async (_, rules) => {
    const desk = await createUploadDesk()
    const { proxy, others } = desk
    const { app, id } = await atPart2(desk)
    const handles = rules.map((rule) => proxy.rule(rule))
    await app.engine.cancel([id])
    await app.engine.idle()
    expect(handles.every(({ hits }) => hits > 0)).toBe(true)
    expect([app.row(id).status, await others.uploadIds(), await others.content()]).toEqual(['canceled', [], null])
  })

  test('is not forgotten when the app is killed', async () => {
    const desk = await createUploadDesk()
    const { proxy, others } = desk
    const { app, id } = await atPart2(desk)
    const unanswered = proxy.rule({ when: abort, fault: { kind: 'stall', at: 'request' } })
    await app.engine.cancel([id])
    await proxy.seen(abort)
    await app.kill()
    unanswered.remove()
    const later = await desk.open()
    await later.engine.idle()
    expect([later.row(id).status, await others.uploadIds()]).toEqual(['canceled', []])
    expect(proxy.requests(listParts).length).toBeGreaterThan(0)
  })
})

/** The app was killed when the first of two parts was there, and the second on its way, where it never arrived. */
async function killedAfterPart1(desk: UploadDesk): Promise<TransferId> {
  const { app, id } = await atPart2(desk)
  await app.until(id, { unitsDone: 1 })
  await app.kill()
  return id
}

/** An upload whose second part is on its way. */
async function atPart2(desk: UploadDesk) {
  const stalled = desk.proxy.rule({ when: part, fault: { kind: 'stall', at: 'request' } })
  const app = await desk.open()
  const id = await app.upload()
  await desk.proxy.seen(part)
  stalled.remove()
  return { app, id }
}

test('every row of the fault matrix that concerns uploads is played', () => {
  const played = Object.values(UPLOAD_ROWS).map((cases) => cases.length)
  expect(Math.min(...played)).toBeGreaterThan(0)
  const count = played.reduce((sum, length) => sum + length, Object.keys(ABORT_FAULTS).length)
  console.log(`Fault matrix, uploads: ${played.length + 1} rows, ${count} cases played by the server`)
})
