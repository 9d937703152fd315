import { describe, expect, test } from 'vitest'
import { QUIT_FINISH_MS, SLEEP_FINISH_MS } from '../../../shared/limits.ts'
import {
  createEngineWorld,
  durable,
  enqueueUpload,
  statuses,
  upload,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'
import type { FakeRun } from '../../support/fakes/fake-runs.ts'

/** The next run, sending two parts that end when the test says so. */
async function sending(
  world: EngineWorld,
): Promise<{ readonly run: FakeRun; readonly askedAtMs: number[]; end(): void }> {
  const run = await world.runs.next()
  const { windDown, report } = run.context
  const askedAtMs: number[] = []
  let end = (): void => undefined
  report.stage('transferring')
  windDown.onWindDown((deadlineMs) => {
    askedAtMs.push(deadlineMs)
    report.finishing(2)
    return new Promise((resolve) => {
      end = () => {
        report.finishing(null)
        resolve()
      }
    })
  })
  return { run, askedAtMs, end: () => end() }
}

describe('a pause', () => {
  test('lets nearly finished parts end, and says how many it waits for', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { run, end } = await sending(world)
    expect(world.row(id)?.finishingUnits).toBeNull()
    const paused = world.engine.pause([id])
    await world.clock.advance(1500)
    expect(world.row(id)).toMatchObject({ status: 'pausing', finishingUnits: 2 })
    expect([run.context.signal.aborted, await durable(world)]).toEqual([false, ['a paused']])
    end()
    await paused
    expect(world.row(id)).toMatchObject({ status: 'paused', finishingUnits: null })
    expect([run.context.signal.reason, world.clock.sleeping]).toEqual(['pause', 0])
  })

  test('waits no longer than allowed, and says how many bytes it dropped, if any', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { run, askedAtMs } = await sending(world)
    const { signal, report } = run.context
    signal.addEventListener('abort', () => {
      report.dropped(1_500_000)
      report.dropped(600_000)
    })
    const paused = world.engine.pause([id])
    expect(askedAtMs).toEqual([2500])
    await world.clock.advance(2499)
    expect(signal.aborted).toBe(false)
    await world.clock.advance(1)
    await paused
    const texts = () =>
      world.engine
        .details(id)
        ?.log.filter(({ text }) => /on the way/.test(text))
        .map(({ text }) => text)
    expect(texts()).toEqual(['Paused. 2.1 MB was still on the way: what doesn’t arrive will be sent again.'])
    await world.engine.resume([id])
    await world.runs.next()
    await world.engine.pause([id])
    expect([texts()?.length, world.engine.details(id)?.droppedBytes]).toEqual([1, 0])
  })

  test('pressed again stops at once', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { run } = await sending(world)
    const first = world.engine.pause([id])
    await world.clock.advance(100)
    await world.engine.pause([id])
    await first
    expect([statuses(world), run.context.signal.reason]).toEqual([['a paused'], 'pause'])
  })

  test('of all, twice, stops all at once; while others still run it stops no one sooner', async () => {
    const world = await createEngineWorld()
    const [a = ''] = await world.engine.enqueueUploads(['a', 'b'].map(upload))
    const [first, second] = [await sending(world), await sending(world)]
    void world.engine.pause([a])
    void world.engine.pause('all')
    await world.clock.advance(100)
    expect([first.run.context.signal.aborted, second.run.context.signal.aborted]).toEqual([false, false])
    await world.engine.pause('all')
    expect(statuses(world)).toEqual(['a paused', 'b paused'])
  })

  test('of one that has nothing to finish stops it at once', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    await world.runs.next()
    await world.engine.pause([id])
    expect(statuses(world)).toEqual(['a paused'])
  })
})

describe('while parts are let end', () => {
  test('a cancel stops at once', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { run } = await sending(world)
    void world.engine.pause([id])
    const canceled = world.engine.cancel([id])
    expect(world.row(id)).toMatchObject({ status: 'pausing', finishingUnits: null })
    await canceled
    expect([statuses(world), run.context.signal.reason]).toEqual([['a canceled'], 'cancel'])
  })

  test('starting over stops at once and begins again', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    await sending(world)
    void world.engine.pause([id])
    await world.engine.startOver([id])
    await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing'])
  })

  test('resuming lets them end, then goes on', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const first = await sending(world)
    void world.engine.pause([id])
    await world.engine.resume([id])
    await world.clock.advance(100)
    expect([first.run.context.signal.aborted, first.askedAtMs.length]).toEqual([false, 1])
    first.end()
    await world.runs.next()
    expect([statuses(world), await durable(world)]).toEqual([['a preparing'], ['a running']])
  })

  test('a pause after a resume stops at once, and it stays paused', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    await sending(world)
    void world.engine.pause([id])
    await world.engine.resume([id])
    await world.engine.pause([id])
    expect([statuses(world), await durable(world)]).toEqual([['a paused'], ['a paused']])
  })

  test('the run may complete: then it is there', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { run } = await sending(world)
    const paused = world.engine.pause([id])
    run.end({ kind: 'completed', verification: 'etag-md5' })
    await paused
    expect([statuses(world), world.clock.sleeping]).toEqual([['a completed'], 0])
  })

  test('quitting waits no longer than it may, and again stops at once', async () => {
    const world = await createEngineWorld()
    await enqueueUpload(world)
    const { run } = await sending(world)
    const closed = world.engine.close(QUIT_FINISH_MS)
    await world.clock.advance(QUIT_FINISH_MS - 1)
    expect(run.context.signal.aborted).toBe(false)
    void world.engine.close()
    expect(run.context.signal.reason).toBe('close')
    await closed
  })

  test('sleep brings the end forward, and the paused one stays paused after it', async () => {
    const world = await createEngineWorld()
    const [a = ''] = await world.engine.enqueueUploads(['a', 'b'].map(upload))
    const [first, second] = [await sending(world), await sending(world)]
    void world.engine.pause([a])
    const asleep = world.engine.suspend(SLEEP_FINISH_MS)
    await world.clock.advance(SLEEP_FINISH_MS - 1)
    expect([first.run.context.signal.aborted, second.run.context.signal.aborted]).toEqual([false, false])
    await world.clock.advance(1)
    await asleep
    expect(statuses(world)).toEqual(['a paused', 'b queued'])
    world.engine.wake()
    expect((await world.runs.next()).context.record.key).toBe('b')
  })

  test('a row that is being paused says which drive holds that up, and no other wait', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { context } = await world.runs.next()
    const wait = { retryAtMs: null, attempt: 1 } as const
    context.report.waiting({ ...wait, reason: 'server-busy' })
    void world.engine.pause([id])
    expect(world.row(id)).toMatchObject({ status: 'pausing', wait: null })
    context.report.waiting({ ...wait, reason: 'drive-unresponsive' })
    expect(world.row(id)).toMatchObject({ status: 'pausing', wait: { reason: 'drive-unresponsive' } })
    context.report.waiting(null)
    expect(world.row(id)).toMatchObject({ wait: null })
  })
})
