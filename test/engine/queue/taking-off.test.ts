import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../support/tools/temp-dir.ts'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  enqueueUpload,
  statuses,
  upload,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'

async function withDone(keys: readonly string[]): Promise<{ world: EngineWorld; ids: readonly string[] }> {
  const world = await createEngineWorld()
  const ids: string[] = []
  for (const key of keys) {
    ids.push(await enqueueUpload(world, key))
    ;(await world.runs.next()).end(COMPLETED)
    await world.engine.idle()
  }
  return { world, ids }
}

test('a removal that is taken back by its name takes no other one back', async () => {
  const { world, ids } = await withDone(['a', 'b', 'c'])
  const [a = '', b = '', c = ''] = ids
  await world.engine.remove([a, b], 'first')
  await world.engine.remove([c], 'second')
  await world.engine.restore('first')
  await world.engine.restore('first')
  expect(statuses(world)).toEqual(['a completed', 'b completed'])
  await world.engine.restore('second')
  expect(statuses(world)).toEqual(['a completed', 'b completed', 'c completed'])
})

test('what several requests of one removal took off comes back together', async () => {
  const { world, ids } = await withDone(['a', 'b'])
  for (const id of ids) await world.engine.remove([id], 'both')
  await world.engine.restore('both')
  expect(await durable(world)).toEqual(['a completed', 'b completed'])
})

test('the latest removals are undone one after another; an empty removal doesn’t count', async () => {
  const { world, ids } = await withDone(['a', 'b'])
  for (const id of ids) await world.engine.remove([id])
  await world.engine.remove([])
  await world.engine.restore()
  expect(statuses(world)).toEqual(['b completed'])
  await world.engine.restore()
  expect(await durable(world)).toEqual(['a completed', 'b completed'])
})

test('transfers that were let go of come back in line, or paused as they were', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const [, b = '', c = ''] = await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
  await world.runs.next()
  await world.engine.pause([c])
  await world.engine.letGo([b, c])
  expect(statuses(world)).toEqual(['a preparing'])
  await world.engine.restore()
  expect(statuses(world)).toEqual(['a preparing', 'b queued', 'c paused'])
  expect(await durable(world)).toEqual(['a running', 'b queued', 'c paused'])
})

test('uploads that were let go of before their turn come back with their sizes', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const sourcePath = join(await tempDir(), 'b')
  await writeFile(sourcePath, 'twelve bytes')
  const [, b = ''] = await world.engine.enqueueUploads([upload('a'), { ...upload('b'), sourcePath }])
  await world.runs.next()
  await expect.poll(() => world.engine.row(b)?.sizeBytes).toBe(12)
  await world.engine.letGo([b])
  await world.engine.restore()
  await expect.poll(() => world.engine.row(b)?.sizeBytes).toBe(12)
})

test('a download that was let go of comes back with all that it has', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const [id = ''] = await world.engine.enqueueDownloads([download('a')])
  const { checkpoints } = (await world.runs.next()).context.deps
  const identity = { sizeBytes: 100, etag: '"e"', lastModified: null }
  await checkpoints.update(id, { identity, partialPath: '/downloads/a.part' })
  await checkpoints.putRanges(id, [{ start: 0, end: 80, crc32: 7 }])
  await world.engine.pause([id])
  const kept = [await checkpoints.ranges(id), world.engine.row(id)?.status]
  await world.engine.letGo([id])
  expect(await checkpoints.ranges(id)).toEqual([])
  await world.engine.restore()
  expect([await checkpoints.ranges(id), world.engine.row(id)?.status]).toEqual(kept)
  expect(world.engine.row(id)?.confirmedBytes).toBe(80)
})

test('a download that is let go of leaves no empty file under its final name', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const folder = await tempDir()
  const finalPath = join(folder, 'a')
  await writeFile(finalPath, '')
  const [id = ''] = await world.engine.enqueueDownloads([download('a', finalPath)])
  const { checkpoints } = (await world.runs.next()).context.deps
  const publishing = { finalPath, isPlaceholder: true }
  await checkpoints.update(id, { partialPath: join(folder, '.a.part'), publishing })
  await world.engine.pause([id])
  await world.engine.letGo([id])
  expect(await readdir(folder)).toEqual([])
})

test('a folder that was let go of still knows which of its files it has', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const id = await world.engine.enqueueFolder({
    location: { kind: 'place', placeId: 'place-1', bucket: 'media' },
    prefix: 'film/',
    targetPath: '/downloads/film',
    onConflict: 'keep-both',
  })
  const { checkpoints } = (await world.runs.next()).context.deps
  const counts = { done: 1, failed: 0, skipped: 0, total: 2, isCounted: true, doneBytes: 5, totalBytes: 10 }
  await checkpoints.update(id, { counts })
  const item = { key: 'film/1', path: '1', sizeBytes: 5, etag: null, modifiedSeconds: null }
  await checkpoints.addItems(id, [item])
  await world.engine.pause([id])
  await world.engine.letGo([id])
  await world.engine.restore()
  const found = []
  for await (const page of checkpoints.items(id)) found.push(...page)
  expect(found).toEqual([item])
  expect(world.engine.row(id)?.items?.done).toBe(1)
})

test('an upload that had sent nothing yet starts over when it is put back', async () => {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const [id = ''] = await world.engine.enqueueUploads([upload('a')])
  const { context } = await world.runs.next()
  await context.deps.checkpoints.update(id, { uploadId: 'A' })
  await world.engine.letGo([id])
  await world.engine.restore()
  expect((await world.runs.next()).context.record).toMatchObject({ key: 'a', uploadId: null })
})

test('an upload that another row goes on with by now does not come back', async () => {
  const world = await createEngineWorld({ activeTransfers: 2 })
  const [a = '', b = ''] = await world.engine.enqueueUploads([upload('a'), upload('b')])
  const { checkpoints } = (await world.runs.next()).context.deps
  await world.runs.next()
  await checkpoints.update(a, { uploadId: 'A' })
  await checkpoints.putParts(a, [{ partNumber: 1, sizeBytes: 5, etag: 'e', md5: '0'.repeat(32) }])
  await world.engine.letGo([a])
  await checkpoints.update(b, { uploadId: 'A' })
  await world.engine.restore()
  expect(statuses(world)).toEqual(['b preparing'])
})

test('a transfer whose drive hangs holds up no other that is taken off with it', async () => {
  const world = await createEngineWorld()
  const [a = '', b = '', c = ''] = await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
  const hanging = await world.runs.next()
  const running = await world.runs.next()
  world.runs.stopsByItself = false
  void running.stopped.then(() => running.end({ kind: 'stopped' }))
  void world.engine.pause([a])
  hanging.context.report.waiting({ reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 })
  // A second pause changes nothing.
  void world.engine.pause([a])
  const gone = world.engine.letGo([a, b, c])
  await expect.poll(() => world.row(b)?.status).toBe('paused')
  expect(world.row(a)?.wait?.reason).toBe('drive-unresponsive')
  await world.clock.advance(10_000)
  await gone
  expect([statuses(world), await durable(world)]).toEqual([[], []])
  await world.engine.restore()
  expect(statuses(world).toSorted()).toEqual(['a waiting', 'b preparing', 'c preparing'])
})
