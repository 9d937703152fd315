import { describe, expect, test, vi } from 'vitest'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  enqueueUpload,
  FAILED,
  statuses,
  upload,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'

/** One runs, three wait. */
async function line(): Promise<{ readonly world: EngineWorld; readonly ids: readonly string[] }> {
  const world = await createEngineWorld({ activeTransfers: 1 })
  const ids = await world.engine.enqueueUploads(['a', 'b', 'c', 'd'].map(upload))
  await world.runs.next()
  return { world, ids }
}

/** The rows as the window orders them. */
function inOrder(world: EngineWorld): string {
  const { rows } = world.engine.snapshot()
  return [...rows]
    .sort((left, right) => left.position - right.position)
    .map(({ name }) => name)
    .join('')
}

describe('order', () => {
  test('what is moved up has its turn sooner, now and after a restart', async () => {
    const { world, ids } = await line()
    const [, b = '', , d = ''] = ids
    await world.engine.move([d], b)
    expect(inOrder(world)).toBe('adbc')
    const again = await world.restart()
    await again.engine.load()
    expect(inOrder(again)).toBe('adbc')
    ;(await again.runs.next()).end(COMPLETED)
    expect((await again.runs.next()).context.record.key).toBe('d')
  })

  test('what is added later comes after what was moved to the end', async () => {
    const { world, ids } = await line()
    await world.engine.move([ids[1] ?? ''], null)
    await enqueueUpload(world, 'e')
    expect(inOrder(world)).toBe('acdbe')
  })

  test('one that is not there moves nothing', async () => {
    const { world } = await line()
    await world.engine.move(['gone'], null)
    expect(inOrder(world)).toBe('abcd')
  })
})

describe('start now', () => {
  test('starts a queued and a paused one beside what runs, and they are the first after a restart', async () => {
    const { world, ids } = await line()
    const [, b = '', , d = ''] = ids
    await world.engine.pause([b])
    await world.engine.startNow([d, b])
    expect([(await world.runs.next()).context.record.key, (await world.runs.next()).context.record.key].sort()).toEqual(
      ['b', 'd'],
    )
    expect(statuses(world)).toEqual(['a preparing', 'b preparing', 'c queued', 'd preparing'])
    const again = await world.restart()
    await again.engine.load()
    expect((await again.runs.next()).context.record.key).toBe('b')
    expect(statuses(again).slice(1)).toEqual(['d queued', 'a queued', 'c queued'])
  })

  test('of very many starts 16, and has the others first in line, in the order of the list', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const names = Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0'))
    const ids = await world.engine.enqueueUploads([...names.map(upload), upload('last')])
    await world.engine.pause(ids.slice(1))
    const chosen = ids.slice(1, -1)
    await world.engine.startNow(chosen.toReversed())
    expect(world.runs.startedKeys).toEqual(names.slice(0, 17))
    expect(statuses(world).slice(17)).toEqual([...names.slice(17).map((name) => `${name} queued`), 'last paused'])
    for (const name of names.slice(0, 18)) {
      const run = await world.runs.next()
      expect(run.context.record.key).toBe(name)
      run.end(COMPLETED)
    }
  })

  test('one that writes to what another is writing to waits for it', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const [first] = await world.engine.enqueueDownloads([download('a', '/downloads/x'), download('b', '/downloads/x')])
    const run = await world.runs.next()
    const other = world.engine.snapshot().rows.find(({ id }) => id !== first)
    await world.engine.startNow([other?.id ?? ''])
    expect(world.runs.startedKeys).toEqual(['a'])
    run.end(COMPLETED)
    expect((await world.runs.next()).context.record.key).toBe('b')
  })
})

describe('let go and restore', () => {
  test('an unfinished transfer leaves the list, and nothing of it is thrown away', async () => {
    const world = await createEngineWorld()
    const aborted: string[] = []
    world.service.abort = (uploadId) => Promise.resolve(void aborted.push(uploadId))
    const ids = await world.engine.enqueueDownloads([download('a'), download('b'), download('c')])
    const [, b, c] = [await world.runs.next(), await world.runs.next(), null]
    expect(c).toBeNull()
    b?.end(FAILED)
    await expect.poll(() => statuses(world)[1]).toBe('b failed')
    await world.engine.letGo(ids)
    expect([statuses(world), await durable(world), world.runs.discarded, aborted]).toEqual([[], [], [], []])
  })

  test('an upload that has no part yet is aborted with it, one that has some is kept', async () => {
    const world = await createEngineWorld()
    const aborted: string[] = []
    world.service.abort = (uploadId) => Promise.resolve(void aborted.push(uploadId))
    const ids = await world.engine.enqueueUploads([upload('a'), upload('b')])
    for (const uploadId of ['A', 'B']) {
      const { context } = await world.runs.next()
      const { checkpoints } = context.deps
      await checkpoints.update(context.record.id, { uploadId })
      const part = { partNumber: 1, sizeBytes: 5, etag: 'e', md5: '0'.repeat(32) }
      if (uploadId === 'B') await checkpoints.putParts(context.record.id, [part])
    }
    await world.engine.letGo(ids)
    await expect.poll(() => aborted).toEqual(['A'])
    expect([statuses(world), await durable(world)]).toEqual([[], []])
  })

  test('a finished transfer stays in the list when the unfinished ones are let go', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    ;(await world.runs.next()).end(COMPLETED)
    await world.engine.idle()
    await world.engine.letGo([id])
    expect(statuses(world)).toEqual(['a completed'])
  })

  test('rows that were taken off come back once, as they were, and are durable', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    ;(await world.runs.next()).end(COMPLETED)
    await world.engine.idle()
    const before = world.row(id)
    await world.engine.remove('all')
    expect(await durable(world)).toEqual([])
    await world.engine.restore()
    await world.engine.restore()
    expect([world.row(id), await durable(world)]).toEqual([before, ['a completed']])
  })

  test('what a person took off comes back, whatever was cleared by itself since then', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    ;(await world.runs.next()).end(COMPLETED)
    const old = await enqueueUpload(world, 'b')
    ;(await world.runs.next()).end(COMPLETED)
    await world.engine.idle()
    await world.engine.remove([id])
    await world.engine.clear([old])
    expect(await durable(world)).toEqual([])
    await world.engine.restore()
    expect(statuses(world)).toEqual(['a completed'])
  })

  test.each(['remove', 'clear', 'letGo'] as const)(
    '%s takes nothing off the list that could not be forgotten',
    async (command) => {
      const world = await createEngineWorld({ activeTransfers: 1 })
      const ids = await world.engine.enqueueUploads([upload('a'), upload('b')])
      ;(await world.runs.next()).end(COMPLETED)
      ;(await world.runs.next()).end(command === 'letGo' ? FAILED : COMPLETED)
      await world.engine.idle()
      const before = [statuses(world), await durable(world)]
      vi.spyOn(world.checkpoints, 'remove').mockRejectedValueOnce(new Error('The disk is full.'))
      await expect(world.engine[command](ids)).rejects.toThrow('The disk is full.')
      expect([statuses(world), await durable(world)]).toEqual(before)
      // Nothing is off the list that could come back.
      await world.engine.restore()
      expect([statuses(world), await durable(world)]).toEqual(before)
      await world.engine[command](ids)
      expect(statuses(world)).toEqual(command === 'letGo' ? ['a completed'] : [])
    },
  )
})
