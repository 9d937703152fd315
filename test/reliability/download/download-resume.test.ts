import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import {
  claimedBytes,
  downloadWith,
  expectFile,
  OBJECT_BYTES as SIZE,
  pauseAt,
  PROVEN as DONE,
} from '../../support/worlds/download-steps.ts'
import { downloadFixture, type DownloadFixture } from '../../support/worlds/download-fixture.ts'

const MIDDLE = { method: 'GET', covers: 18 * MIB }

test.each([
  ['once', 1],
  ['three times', 3],
])('T32: a 304 on resume, %s, is not the end of it', async (_how, times) => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const kept = await pauseAt(fixture, 12 * MIB)
  const lie = fixture.proxy.rule({ times, fault: { kind: 'response', status: 304 } })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(lie.hits).toBe(times)
  expect(resumed.progress.movedBytes).toBe(SIZE - kept)
  await expectFile(fixture, bytes)
  expect(fixture.proxy.log.filter(({ headers }) => 'if-modified-since' in headers)).toEqual([])
})

test.each([0, 1, 7_777_777, SIZE - 1])('T35: a reset at byte %i of the whole costs no byte twice', async (at) => {
  const { bytes, fixture, running, outcome, hits } = await downloadWith([
    { fault: { kind: 'ignore-range' } },
    { times: 1, fault: { kind: 'reset', at: { responseBytes: at } } },
  ])
  expect(outcome).toEqual(DONE)
  expect(hits[1]).toBe(1)
  expect(running.progress.movedBytes).toBe(SIZE)
  await expectFile(fixture, bytes)
})

test('T35: resets all along fetch no more than what was on its way again', async () => {
  const { bytes, fixture, outcome } = await downloadWith([
    { times: 12, when: { method: 'GET' }, fault: { kind: 'reset', at: { responseBytes: 700_000 } } },
  ])
  expect(outcome).toEqual(DONE)
  expect(fixture.sentBytes()).toBeLessThanOrEqual(SIZE + 12 * MIB)
  await expectFile(fixture, bytes)
})

test('T37: 416 of the size that is here finishes, with all bytes here already', async () => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  await stopBeforePublishing(fixture)
  const headers = { 'content-range': `bytes */${SIZE}` }
  fixture.proxy.rule({ when: { ranged: true }, fault: { kind: 'response', status: 416, headers } })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(resumed.progress.movedBytes).toBe(0)
  await expectFile(fixture, bytes)
})

test('T37: starts over when a 416 reports a smaller size', async () => {
  const fixture = await downloadFixture(randomBytes(SIZE))
  await pauseAt(fixture, 12 * MIB)
  const bytes = randomBytes(3 * MIB)
  await fixture.put(bytes)
  const headers = { 'content-range': `bytes */${bytes.length}` }
  fixture.proxy.rule({ times: 1, fault: { kind: 'response', status: 416, headers } })
  expect(await fixture.begin().outcome).toEqual(DONE)
  await expectFile(fixture, bytes)
})

test.each([
  ['502', { kind: 'response', status: 502 }],
  ['a reset', { kind: 'reset', at: 'request' }],
  ['504 after the service worked on it', { kind: 'response', status: 504, afterTarget: true }],
] as const)('T41: %s for the first three requests of a resume drops nothing', async (_what, fault) => {
  const bytes = randomBytes(SIZE)
  const fixture = await downloadFixture(bytes)
  const kept = await pauseAt(fixture, 12 * MIB)
  const lie = fixture.proxy.rule({ times: 3, fault })
  const resumed = fixture.begin()
  expect(await resumed.outcome).toEqual(DONE)
  expect(lie.hits).toBe(3)
  expect(resumed.progress.movedBytes).toBe(SIZE - kept)
  await expectFile(fixture, bytes)
})

test('T61: an object deleted between ranges stops the download and keeps what is here', async () => {
  const bytes = randomBytes(SIZE)
  const { fixture, outcome } = await downloadWith(
    [{ when: MIDDLE, fault: { kind: 'response', status: 404, body: '{"Error":{"Code":"NoSuchKey"}}' } }],
    {},
    bytes,
  )
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'no-such-key', serviceCode: 'NoSuchKey' } })
  const names = await fixture.files()
  expect(names.filter((name) => name.endsWith('.part')).length).toBe(1)
  expect(names).not.toContain('set.bin')
})

test.each([0, 1, 5 * MIB, 5 * MIB + 1, 8 * MIB, 8 * MIB + 1])(
  'T62: an object of %i bytes arrives whole',
  async (size) => {
    const { bytes, fixture, outcome } = await downloadWith([], {}, randomBytes(size))
    expect(outcome).toEqual(DONE)
    await expectFile(fixture, bytes)
  },
)

test('T62: an empty object of a service that refuses any range of it arrives', async () => {
  const { fixture, outcome } = await downloadWith(
    [{ when: { ranged: true }, fault: { kind: 'response', status: 416, headers: { 'content-range': 'bytes */0' } } }],
    {},
    Buffer.alloc(0),
  )
  expect(outcome).toEqual(DONE)
  await expectFile(fixture, Buffer.alloc(0))
})

/** Stops a download when all its bytes are here and proven, and nothing has the final name. */
async function stopBeforePublishing(fixture: DownloadFixture): Promise<void> {
  const { checkpoints } = fixture
  checkpoints.onWrite = (method) => {
    const [record] = checkpoints.records.values()
    if (method === 'update' && record?.direction === 'download' && record.partialPath !== null) throw new Error('stop')
  }
  expect(await fixture.begin().outcome).toMatchObject({ kind: 'failed' })
  checkpoints.onWrite = () => undefined
  expect(await claimedBytes(fixture)).toBe(SIZE)
}
