import { expect, test } from 'vitest'
import type { FakeRun } from '../../support/fakes/fake-runs.ts'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  statuses,
  upload,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'

const SILENT = { reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 } as const

/** A download whose drive doesn't respond: its run ends only when a test says so. */
async function hanging(world: EngineWorld, key = 'film'): Promise<{ readonly id: string; readonly run: FakeRun }> {
  world.runs.stopsByItself = false
  const [id = ''] = await world.engine.enqueueDownloads([download(key)])
  const run = await world.runs.next()
  run.context.report.stage('transferring')
  run.context.report.size(100)
  run.context.report.confirmed(40, 'moved')
  run.context.report.waiting(SILENT)
  return { id, run }
}

/** Lets the time pass after which a run is left alone. */
async function pass(world: EngineWorld, work: Promise<unknown>): Promise<void> {
  const over = { isOver: false }
  void work.finally(() => (over.isOver = true))
  for (let rounds = 0; !over.isOver && rounds < 200; rounds += 1) await world.clock.advance(250)
  await work
}

test('a pause does not wait for a drive that doesn’t respond, and what its run says later counts no more', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  await pass(world, world.engine.pause([id]))
  expect([world.row(id)?.status, world.row(id)?.confirmedBytes]).toEqual(['paused', 40])
  run.context.report.confirmed(60, 'moved')
  run.context.report.stage('completing')
  run.end(COMPLETED)
  await world.engine.idle()
  expect([world.row(id)?.status, world.row(id)?.confirmedBytes, await durable(world)]).toEqual([
    'paused',
    40,
    ['film paused'],
  ])
})

test('what hangs takes no other transfer’s turn once it is stopped', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const { id } = await hanging(world)
  await world.engine.enqueueUploads([upload('other')])
  await pass(world, world.engine.pause([id]))
  expect(statuses(world).toSorted()).toEqual(['film paused', 'other preparing'])
})

test('a download that goes on begins once the drive has responded, says so until then, and can be paused again', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  await pass(world, world.engine.pause([id]))
  await world.engine.resume([id])
  await expect.poll(() => world.row(id)?.wait?.reason).toBe('drive-unresponsive')
  await world.engine.pause([id])
  expect(world.row(id)?.status).toBe('paused')
  await world.engine.resume([id])
  expect(world.runs.startedKeys).toEqual(['film'])
  run.end({ kind: 'stopped' })
  await world.runs.next()
  expect([world.row(id)?.status, world.row(id)?.wait]).toEqual(['preparing', null])
})

test('nor does another download to the same file begin before that', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  await pass(world, world.engine.letGo([id]))
  await world.engine.enqueueDownloads([download('again', '/downloads/film')])
  await expect.poll(() => statuses(world)).toEqual(['film waiting'])
  expect(world.runs.startedKeys).toEqual(['film'])
  run.end({ kind: 'stopped' })
  expect((await world.runs.next()).context.record.key).toBe('again')
})

test('a row is removed although its drive doesn’t respond, and comes back with what it had', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  const claim = { start: 0, end: 40, crc32: 7 }
  await run.context.deps.checkpoints.update(id, { identity: { sizeBytes: 100, etag: 'e', lastModified: null } })
  await run.context.deps.checkpoints.putRanges(id, [claim])
  await pass(world, world.engine.letGo([id]))
  expect([statuses(world), await durable(world)]).toEqual([[], []])
  await world.engine.restore()
  await expect.poll(() => world.row(id)?.wait?.reason).toBe('drive-unresponsive')
  // The run of the row that was removed writes down nothing about the one that came back.
  run.end({
    kind: 'failed',
    error: { code: 'internal', detail: '', serviceCode: null, httpStatus: null, requestId: null },
  })
  await world.runs.next()
  expect([statuses(world), await world.checkpoints.ranges(id)]).toEqual([['film preparing'], [claim]])
})

test('discarding does not wait either; the list forgets the transfer once its bytes are gone', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  await run.context.deps.checkpoints.update(id, { partialPath: '/downloads/.film.part' })
  await pass(world, world.engine.cancel([id]))
  expect([world.row(id)?.status, world.runs.discarded]).toEqual(['canceled', []])
  await pass(world, world.engine.remove([id]))
  expect([statuses(world), world.runs.discarded]).toEqual([[], []])
  // After a kill the next process has to discard it.
  expect((await world.checkpoints.load()).records).toMatchObject([{ id, givenUp: 'cancel' }])
  run.end({ kind: 'stopped' })
  await expect.poll(() => durable(world)).toEqual([])
  expect(world.runs.discarded).toEqual(['film'])
})

test('finished and canceled rows are cleared although a file of one can’t be deleted yet', async () => {
  const world = await createEngineWorld()
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  world.runs.discardDownload = () => answered
  const [id = ''] = await world.engine.enqueueDownloads([download('film')])
  await (await world.runs.next()).context.deps.checkpoints.update(id, { partialPath: '/downloads/.film.part' })
  await pass(world, world.engine.cancel([id]))
  await pass(world, world.engine.clear('all'))
  expect(statuses(world)).toEqual([])
  answer()
  await expect.poll(() => durable(world)).toEqual([])
})

test('starting over waits for nobody, and begins from nothing once the drive has responded', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  const identity = { sizeBytes: 100, etag: 'e', lastModified: null }
  const { checkpoints } = run.context.deps
  await checkpoints.update(id, { identity, partialPath: '/downloads/.film.part' })
  await checkpoints.putRanges(id, [{ start: 0, end: 40, crc32: 7 }])
  await pass(world, world.engine.startOver([id]))
  await expect.poll(() => world.row(id)?.wait?.reason).toBe('drive-unresponsive')
  expect(world.runs.startedKeys).toEqual(['film'])
  run.end({ kind: 'stopped' })
  const next = await world.runs.next()
  expect([next.context.record, world.runs.discarded]).toMatchObject([{ identity: null }, ['film']])
  expect(await world.checkpoints.ranges(id)).toEqual([])
})

test('after sleep a transfer whose drive doesn’t respond waits for it, and the others go on', async () => {
  const world = await createEngineWorld()
  const { id } = await hanging(world)
  const [other = ''] = await world.engine.enqueueUploads([upload('other')])
  const running = await world.runs.next()
  void running.stopped.then(() => running.end({ kind: 'stopped' }))
  await pass(world, world.engine.suspend(1000))
  world.engine.wake()
  expect((await world.runs.next()).context.record.key).toBe('other')
  expect([world.row(other)?.status, world.row(id)?.wait?.reason]).toEqual(['preparing', 'drive-unresponsive'])
})

test('closing writes down the histories of all, and closes the list, while a drive doesn’t respond', async () => {
  const world = await createEngineWorld()
  const { id } = await hanging(world)
  const [other = ''] = await world.engine.enqueueUploads([upload('other')])
  const running = await world.runs.next()
  void running.stopped.then(() => running.end({ kind: 'stopped' }))
  await pass(world, world.engine.close(2500))
  world.runs.stopsByItself = true
  const later = await world.restart()
  expect(later.checkpoints.afterUncleanStop).toBe(false)
  const histories = await later.checkpoints.histories([id, other])
  const last = [id, other].map((each) => histories.get(each)?.entries.at(-1)?.text)
  expect(last).toEqual(['App was closed', 'App was closed'])
})

test('even if nothing tells that the drive hangs, the histories are written before the process ends', async () => {
  const world = await createEngineWorld()
  const { id, run } = await hanging(world)
  run.context.report.waiting(null)
  const closing = world.engine.close(2500)
  const kept = async () => (await world.checkpoints.histories([id])).get(id)?.entries.at(-1)?.text
  await expect
    .poll(async () => {
      await world.clock.advance(250)
      return kept()
    })
    .toBe('App was closed')
  run.end({ kind: 'stopped' })
  await closing
})
