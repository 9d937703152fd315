import { expect, test } from 'vitest'
import type { CheckpointStore } from '../../../electron/engine/core/checkpoint-store.ts'
import type { TransferRecord } from '../../../electron/engine/core/records.ts'
import { downloadRecord, uploadRecord } from '../../support/fakes/records.ts'
import { createEngineWorld } from '../../support/worlds/engine-world.ts'

const LONG = 2500

/** A queue of so many paused uploads, and of what else there is, in an engine that has not loaded it. */
async function queueOf(
  count: number,
  others: readonly TransferRecord[],
  then = (_: CheckpointStore) => Promise.resolve(),
) {
  const world = await createEngineWorld()
  return world.restartAfter(async (checkpoints) => {
    const paused = Array.from({ length: count }, (_, number) =>
      uploadRecord({ id: `paused-${String(number)}`, position: 1000 + number, status: 'paused' }),
    )
    await checkpoints.insert([...paused, ...others])
    await then(checkpoints)
  })
}

test('a long list begins with what needs a person and what goes on, whatever its place, with the numbers of all', async () => {
  const plan = { partSizeBytes: 10, partCount: 3 }
  const source = { device: '1', fileId: '1', sizeBytes: 25, modifiedNs: '1', changedNs: '1' }
  const { engine } = await queueOf(
    LONG,
    [
      ...Array.from({ length: 300 }, (_, number) =>
        downloadRecord({ id: `done-${String(number)}`, position: number, status: 'completed', finishedAtMs: number }),
      ),
      uploadRecord({ id: 'running', position: 9000, status: 'running', plan, source }),
      uploadRecord({ id: 'queued', position: 9001, status: 'queued' }),
      uploadRecord({ id: 'failed', position: 9002, status: 'failed' }),
      downloadRecord({ id: 'of a folder', position: 9003, status: 'running', folderId: 'some folder' }),
    ],
    (checkpoints) => checkpoints.putParts('running', [{ partNumber: 3, sizeBytes: 5, etag: 'e', md5: '0'.repeat(32) }]),
  )
  const look = await engine.firstLook()
  expect(look?.rows.length).toBe(100)
  expect(look?.rows.slice(0, 5)).toMatchObject([
    { id: 'failed' },
    { id: 'running', status: 'queued', confirmedBytes: 5, unitsDone: 1, unitsTotal: 3 },
    { id: 'queued' },
    { id: 'paused-0' },
    { id: 'paused-1' },
  ])
  expect(look).toMatchObject({
    isFirstLook: true,
    totals: {
      remainingBytes: 0,
      counts: { all: LONG + 303, attention: 1, active: 0, waiting: 2, paused: LONG, done: 300 },
    },
  })
  await engine.load()
  expect(engine.snapshot().rows.length).toBe(LONG + 303)
})

test('of what is over the latest comes first', async () => {
  const done = Array.from({ length: LONG }, (_, number) =>
    downloadRecord({ id: `done-${String(number)}`, position: number, status: 'completed', finishedAtMs: number }),
  )
  const { engine } = await queueOf(0, done)
  expect((await engine.firstLook())?.rows.slice(0, 2)).toMatchObject([{ id: 'done-2499' }, { id: 'done-2498' }])
})

test('a short list is not looked at twice', async () => {
  const { engine } = await queueOf(10, [])
  expect(await engine.firstLook()).toBeNull()
})

test('a record that lacks a member is left out of it, and set aside by loading', async () => {
  const { engine } = await queueOf(LONG, [uploadRecord({ id: 'bad', status: 'paused' })], (checkpoints) =>
    checkpoints.update('bad', { createdAtMs: Number.NaN }),
  )
  expect((await engine.firstLook())?.rows.some(({ id }) => id === 'bad')).toBe(false)
  expect(await engine.load()).toEqual({ setAside: 1 })
})
