import { describe, expect, test } from 'vitest'
import { RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import {
  createEngineWorld,
  enqueueUpload,
  FAILED,
  statuses,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'
import { downloadRecord, uploadRecord } from '../../support/fakes/records.ts'

describe('from one process to the next', () => {
  test('what ran goes on by itself with its bytes shown, what was paused stays, a damaged record is counted', async () => {
    const world = await createEngineWorld()
    const later = await world.restartAfter(async (checkpoints) => {
      const plan = { partSizeBytes: 10, partCount: 3 }
      const source = { device: '1', fileId: '1', sizeBytes: 25, modifiedNs: '1', changedNs: '1' }
      const identity = { sizeBytes: 20 * 1024 * 1024, etag: 'e', lastModified: null }
      await checkpoints.insert([
        uploadRecord({ id: 'u', position: 1, status: 'running', plan, source }),
        downloadRecord({ id: 'd', position: 2, status: 'paused', identity }),
        uploadRecord({ id: 'bad', position: 3 }),
      ])
      await checkpoints.putParts('u', [{ partNumber: 3, sizeBytes: 5, etag: 'e', md5: '0'.repeat(32) }])
      await checkpoints.putRanges('d', [{ start: 0, end: 9 * 1024 * 1024, crc32: 1 }])
      await checkpoints.update('bad', { createdAtMs: Number.NaN })
    })
    expect(await later.engine.load()).toEqual({ setAside: 1 })
    expect(later.engine.snapshot().rows).toMatchObject([
      { id: 'u', status: 'preparing', confirmedBytes: 5, unitsDone: 1, unitsTotal: 3, sizeBytes: 25 },
      { id: 'd', status: 'paused', confirmedBytes: 9 * 1024 * 1024, unitsDone: 1, unitsTotal: 3 },
    ])
    expect((await later.runs.next()).context.record.id).toBe('u')
  })

  test('bytes found published stay on the row while they are verified, whatever comes of that', async () => {
    const world = await createEngineWorld()
    const later = await world.restartAfter(async (checkpoints) => {
      const identity = { sizeBytes: 25, etag: 'e', lastModified: null }
      await checkpoints.insert([downloadRecord({ id: 'd', status: 'running', identity })])
      await checkpoints.putRanges('d', [{ start: 0, end: 25, crc32: 1 }])
    })
    await later.engine.load()
    const run = await later.runs.next()
    run.context.report.stage('verifying')
    run.end(FAILED)
    await later.engine.idle()
    expect(later.row('d')).toMatchObject({ status: 'failed', confirmedBytes: 25 })
  })

  test('close stops runs without pausing them, and marks a clean stop', async () => {
    const world = await createEngineWorld()
    await enqueueUpload(world)
    const run = await world.runs.next()
    await world.engine.close()
    expect(await run.stopped).toBe('close')
    const later = await world.restart()
    expect(later.checkpoints.afterUncleanStop).toBe(false)
    await later.engine.load()
    await later.runs.next()
    expect(statuses(later)).toEqual(['a preparing'])
  })

  test('sleep stops runs without pausing them; waking continues them', async () => {
    const world = await createEngineWorld()
    await enqueueUpload(world)
    const run = await world.runs.next()
    await world.engine.suspend()
    expect([await run.stopped, statuses(world)]).toEqual(['close', ['a queued']])
    world.engine.wake()
    await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing'])
  })
})

describe('a time that the server named', () => {
  const asks = async (world: EngineWorld) => {
    const run = await world.runs.next()
    const wait = { reason: 'server-busy', attempt: 1, isAsked: true } as const
    run.context.report.waiting({ ...wait, retryAtMs: world.clock.nowMs() + 100_000 })
  }

  test('is kept to after a restart: nothing runs before', async () => {
    const world = await createEngineWorld()
    await enqueueUpload(world)
    await asks(world)
    const later = await world.restart()
    await later.engine.load()
    await later.clock.advance(99_999)
    expect([later.runs.startedKeys, statuses(later)]).toEqual([[], ['a waiting']])
    await later.clock.advance(1)
    await later.runs.next()
    expect(statuses(later)).toEqual(['a preparing'])
  })

  test.each(['1969-12-31T23:00:00Z', '0001-01-01T00:00:00Z'])(
    'is kept to, and no other wait is made up, while the clock tells %s',
    async (wall) => {
      const fromThen = Date.parse(wall)
      const world = await createEngineWorld()
      world.clock.shiftWallClock(fromThen - world.clock.nowMs())
      await enqueueUpload(world)
      await asks(world)
      const later = await world.restart()
      later.clock.shiftWallClock(fromThen - later.clock.nowMs())
      await later.engine.load()
      await later.clock.advance(99_999)
      expect([later.runs.startedKeys, statuses(later)]).toEqual([[], ['a waiting']])
      await later.clock.advance(1)
      await later.runs.next()
    },
  )

  test('can be cut short by a person, and is no longer than it can be when the clock was set back', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    await asks(world)
    const later = await world.restart()
    later.clock.shiftWallClock(-86_400_000)
    await later.engine.load()
    await later.clock.advance(RETRY_AFTER_CAP_MS)
    await asks(later)
    await later.engine.retry([id])
    await later.runs.next()
    expect(statuses(later)).toEqual(['a preparing'])
  })
})

describe('the past of a transfer', () => {
  const past = (world: EngineWorld, id: string) =>
    world.engine.details(id)?.log.map(({ text, times = 1 }) => (times > 1 ? `${text} ×${times}` : text))

  test('is there after a restart: what was said, how fast it was, and that the app was closed', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const first = await world.runs.next()
    first.context.report.size(100_000)
    first.context.report.stage('transferring')
    for (let second = 0; second < 3; second += 1) {
      first.context.report.moved(4000)
      await world.clock.advance(1000)
      world.engine.takeDelta()
    }
    for (let time = 0; time < 3; time += 1) first.context.report.log('Trying again: the connection was refused')
    await world.engine.pause([id])
    await world.engine.resume([id])
    await world.runs.next()
    const before = world.engine.details(id)
    const said = ['Added', 'Started', 'Trying again: the connection was refused ×3', 'Paused by you', 'Resumed by you']
    expect(past(world, id)).toEqual(said)

    const later = await world.restart()
    await later.engine.load()
    await later.runs.next()
    await expect.poll(() => past(later, id)).toEqual([...said, 'App was closed', 'Continued'])
    const after = later.engine.details(id)
    expect(after).toMatchObject({ averageBytesPerSecond: before?.averageBytesPerSecond, peakBytesPerSecond: 4000 })
    expect(after?.averageBytesPerSecond).toBe(4000)
    expect(after?.speed.life.filter((sample) => sample === 4000).length).toBe(3)
  })

  test('counts a run that a crash cut short in its time as in its mean, and forgets both when it starts over', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.size(100_000)
    report.stage('transferring')
    for (let second = 0; second < 5; second += 1) {
      report.moved(4000)
      await world.clock.advance(1000)
      world.engine.takeDelta()
    }
    await expect.poll(async () => (await world.checkpoints.histories([id])).get(id)?.activeMs).toBe(5000)

    // A record is told of a run's time when the run is over: after a crash only the history knows of it.
    const later = await world.restartAfter((between) => between.update(id, { activeMs: 0 }))
    await later.engine.load()
    const again = await later.runs.next()
    const told = () => ({ ...later.row(id), ...later.engine.details(id) })
    await expect.poll(told).toMatchObject({ activeMs: 5000, averageBytesPerSecond: 4000 })
    await later.clock.advance(2000)
    again.end(FAILED)
    await later.engine.idle()
    expect(told()).toMatchObject({ activeMs: 7000, averageBytesPerSecond: Math.round(20_000 / 7) })
    await later.engine.startOver([id])
    await later.runs.next()
    expect(told()).toMatchObject({ activeMs: 0, averageBytesPerSecond: 0 })
  })

  test('says what let it go on: a person, or what it waited for', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.waiting({ reason: 'network', retryAtMs: 5, attempt: 3 })
    await world.engine.retry([id], 'demo-store-back')
    const again = await world.runs.next()
    expect(past(world, id)?.slice(1)).toEqual(['Started', 'Continued: the demo store is back'])
    again.context.report.waiting({ reason: 'network', retryAtMs: 5, attempt: 3 })
    await world.engine.retry([id])
    await world.runs.next()
    expect(past(world, id)?.at(-1)).toBe('Tried again by you')
  })

  test('of one that is removed goes with it, and comes back with it', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    ;(await world.runs.next()).end(FAILED)
    await world.engine.idle()
    const said = past(world, id)
    await world.engine.remove([id])
    expect(await world.checkpoints.histories([id])).toEqual(new Map())
    await world.engine.restore()
    expect(past(world, id)).toEqual([...(said ?? []), 'Canceled by you'])
  })

  test('is written every five seconds at most, so that a crash loses no more of it', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    await world.runs.next()
    world.engine.takeDelta()
    expect((await world.checkpoints.histories([id])).size).toBe(0)
    await world.clock.advance(5000)
    world.engine.takeDelta()
    await expect.poll(async () => (await world.checkpoints.histories([id])).get(id)?.entries.length).toBe(1)
  })
})
