import { describe, expect, test, vi } from 'vitest'
import type { UploadRecord } from '../../../electron/engine/core/records.ts'
import type { RunOutcome } from '../../../electron/engine/core/run.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  enqueueUpload,
  type EngineWorld,
  FAILED,
  PLACE,
  statuses,
  upload,
} from '../../support/worlds/engine-world.ts'

describe('pause and resume', () => {
  test('the row answers at once, pause resolves when the run has stopped, and it is durable', async () => {
    const world = await createEngineWorld()
    world.runs.stopsByItself = false
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    const paused = world.engine.pause([id])
    expect(world.row(id)?.status).toBe('pausing')
    expect(await run.stopped).toBe('pause')
    run.end({ kind: 'stopped' })
    await paused
    expect([statuses(world), await durable(world)]).toEqual([['a paused'], ['a paused']])
    await world.engine.resume('all')
    expect((await world.runs.next()).context.record.key).toBe('a')
  })

  test('resuming while it still stops starts it again as soon as it has', async () => {
    const world = await createEngineWorld()
    world.runs.stopsByItself = false
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    void world.engine.pause([id])
    await world.engine.resume([id])
    run.end({ kind: 'stopped' })
    await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing'])
  })

  test('a resumed transfer takes its old place in the line', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const [, b] = await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
    const first = await world.runs.next()
    await world.engine.pause([b ?? ''])
    await world.engine.resume([b ?? ''])
    first.end(COMPLETED)
    expect((await world.runs.next()).context.record.key).toBe('b')
  })

  test('completing in the last moment stands', async () => {
    const world = await createEngineWorld()
    world.runs.stopsByItself = false
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    const paused = world.engine.pause([id])
    run.end(COMPLETED)
    await paused
    expect([statuses(world), await durable(world)]).toEqual([['a completed'], ['a completed']])
  })

  test('what the run made durable is what the next run is given', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { context } = await world.runs.next()
    await context.deps.checkpoints.update(id, { uploadId: 'U', plan: { partSizeBytes: 8, partCount: 3 } })
    await world.engine.pause([id])
    await world.engine.resume([id])
    const second = await world.runs.next()
    expect(second.context.record).toMatchObject({ uploadId: 'U', plan: { partSizeBytes: 8, partCount: 3 } })
  })

  test('progress does not fall back while the next run looks for what is there', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.size(100)
    report.stage('transferring')
    report.moved(60)
    report.confirmed(60, 'moved')
    await world.engine.pause([id])
    expect(world.row(id)).toMatchObject({ confirmedBytes: 60, inFlightBytes: 0 })
    await world.engine.resume([id])
    const second = (await world.runs.next()).context.report
    expect(world.row(id)).toMatchObject({ status: 'preparing', confirmedBytes: 60 })
    second.confirmed(40, 'found')
    expect(world.row(id)?.confirmedBytes).toBe(60)
    second.stage('transferring')
    expect(world.row(id)?.confirmedBytes).toBe(40)
  })
})

describe('retry and start over', () => {
  test('retry ends a wait with a new run', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    run.context.report.waiting({ reason: 'network', retryAtMs: 9, attempt: 9 })
    await world.engine.retry([id])
    expect(await run.stopped).toBe('pause')
    await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing'])
  })

  test('retry continues what failed, and leaves alone what runs', async () => {
    const world = await createEngineWorld()
    await world.engine.enqueueUploads(['a', 'b'].map(upload))
    ;(await world.runs.next()).end(FAILED)
    await world.runs.next()
    await expect.poll(() => statuses(world)[0]).toBe('a failed')
    await world.engine.retry('all')
    await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing', 'b preparing'])
    expect(world.engine.snapshot().rows[0]?.error).toBeNull()
    expect(world.runs.startedKeys).toEqual(['a', 'b', 'a'])
  })

  test('start over drops what is there and begins from nothing', async () => {
    const world = await createEngineWorld()
    const [id = ''] = await world.engine.enqueueDownloads([download('a')])
    const run = await world.runs.next()
    const identity = { sizeBytes: 9, etag: 'e', lastModified: null }
    await run.context.deps.checkpoints.update(id, { identity, partialPath: '/p' })
    await run.context.deps.checkpoints.putRanges(id, [{ start: 0, end: 5, crc32: 1 }])
    await world.engine.startOver([id])
    expect(await run.stopped).toBe('cancel')
    const { record } = (await world.runs.next()).context
    expect(world.runs.discarded).toEqual(['a'])
    expect(record).toMatchObject({ identity: null, partialPath: null, status: 'running' })
    expect(await world.checkpoints.ranges(id)).toEqual([])
  })

  test('of more than are handled at a time, each begins from nothing, also one whose turn comes first', async () => {
    const first = await createEngineWorld({ activeTransfers: 5 })
    const world = await first.restartAfter((checkpoints) =>
      checkpoints.insert(Array.from({ length: 600 }, (_, index) => failedUpload(index))),
    )
    await world.engine.load()
    const startedOver = world.engine.startOver('all')
    for (let count = 0; count < 5; count += 1) {
      expect((await world.runs.next()).context.record).toMatchObject({ uploadId: null })
    }
    await startedOver
    await world.engine.pause('all')
  })

  test('a command that can’t be recorded is carried out all the same, and rejects', async () => {
    const first = await createEngineWorld()
    const world = await first.restartAfter((checkpoints) => checkpoints.insert([failedUpload(0)]))
    await world.engine.load()
    vi.spyOn(world.checkpoints, 'update').mockRejectedValueOnce(new Error('The disk is full.'))
    await expect(world.engine.retry('all')).rejects.toThrow('The disk is full.')
    expect((await world.runs.next()).context.record).toMatchObject({ key: 'k0' })
  })

  test('a failed upload starts over with its multipart upload aborted', async () => {
    const world = await createEngineWorld()
    const aborted = new Promise<string>((resolve) => {
      world.service.abort = (uploadId) => Promise.resolve(resolve(uploadId))
    })
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U' })
    run.end(FAILED)
    await world.engine.idle()
    await world.engine.startOver([id])
    expect(await aborted).toBe('U')
    expect((await world.runs.next()).context.record).toMatchObject({ uploadId: null, error: null })
  })

  test('what could not be written of it is written with what comes next: no record is half of one and half of another', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U', uploadsBefore: [] })
    run.end(FAILED)
    await world.engine.idle()
    const written = vi.spyOn(world.checkpoints, 'update').mockRejectedValueOnce(new Error('disk I/O error'))
    await world.engine.startOver([id])
    const { context } = await world.runs.next()
    expect(written.mock.calls[0]).toMatchObject([id, { uploadId: null }])
    await context.deps.checkpoints.update(id, { plan: { partSizeBytes: 0, partCount: 0 } })
    expect((await world.checkpoints.load()).records).toMatchObject([
      {
        uploadId: null,
        uploadsBefore: null,
        isNewUpload: true,
        error: null,
        status: 'running',
        plan: { partCount: 0 },
      },
    ])
  })
})

describe('start over, while it is found out how the upload ended', () => {
  const intent = { expectedEtag: 'e', sizeBytes: 1, baseline: null, parts: [], serverTimeMs: 0 }
  const changed: RunOutcome = {
    kind: 'failed',
    error: { code: 'source-changed', detail: 'c', serviceCode: null, httpStatus: null, requestId: null },
  }

  /** An upload that starts over; what became of the one before is being looked for, without end. */
  async function findingOut(before?: RunOutcome) {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U', intent })
    if (before !== undefined) {
      run.end(before)
      await world.engine.idle()
    }
    const looks = new Promise<void>((resolve) => {
      world.runs.settle = ({ signal }) => {
        resolve()
        return new Promise((end) => signal.addEventListener('abort', () => end({ kind: 'stopped' })))
      }
    })
    void world.engine.startOver([id])
    await looks
    return { world, id }
  }

  function provesNotThere({ runs }: EngineWorld): void {
    runs.settle = async ({ deps, record }) => {
      await deps.checkpoints.update(record.id, { intent: null })
      return { kind: 'stopped' }
    }
  }

  test('a pause holds, and it starts over when it is resumed', async () => {
    const { world, id } = await findingOut()
    await world.engine.pause([id])
    expect([statuses(world), world.runs.startedKeys]).toEqual([['a paused'], ['a']])
    provesNotThere(world)
    await world.engine.resume([id])
    expect((await world.runs.next()).context.record).toMatchObject({ uploadId: null, intent: null })
  })

  test('it starts over after sleep', async () => {
    const { world } = await findingOut()
    await world.engine.suspend(0)
    expect(statuses(world)).toEqual(['a queued'])
    provesNotThere(world)
    world.engine.wake()
    expect((await world.runs.next()).context.record).toMatchObject({ uploadId: null, intent: null })
  })

  test.each(['runs', 'is paused'])('it starts over after a restart where it %s', async (when) => {
    const { world, id } = await findingOut()
    if (when === 'is paused') await world.engine.pause([id])
    const later = await world.restart()
    provesNotThere(later)
    await later.engine.load()
    if (when === 'is paused') {
      expect(statuses(later)).toEqual(['a paused'])
      await later.engine.resume([id])
    }
    expect((await later.runs.next()).context.record).toMatchObject({ uploadId: null, intent: null })
    // Once: what it sends now is gone on with.
    await later.checkpoints.update(id, { uploadId: 'V' })
    const last = await later.restart()
    await last.engine.load()
    expect((await last.runs.next()).context.record).toMatchObject({ uploadId: 'V' })
  })

  test.each(['pause', 'restart'])(
    'after a %s what was made of a file that has changed since is replaced',
    async (by) => {
      const { world, id } = await findingOut(changed)
      if (by === 'pause') await world.engine.pause([id])
      const later = by === 'pause' ? world : await world.restart()
      later.runs.settle = () => Promise.resolve(COMPLETED)
      if (by === 'pause') await later.engine.resume([id])
      else await later.engine.load()
      expect((await later.runs.next()).context.record).toMatchObject({ uploadId: null, onConflict: 'replace' })
    },
  )

  test('a cancel stands, over a restart too, and does not start it over', async () => {
    const { world, id } = await findingOut()
    await world.engine.pause([id])
    world.runs.settle = ({ signal }) =>
      new Promise((end) => signal.addEventListener('abort', () => end({ kind: 'stopped' })))
    void world.engine.cancel([id])
    const later = await world.restart()
    provesNotThere(later)
    await later.engine.load()
    await later.engine.idle()
    expect([statuses(later), later.runs.startedKeys]).toEqual([['a canceled'], []])
  })
})

describe('rebucket', () => {
  test('begins a failed transfer anew in the other bucket, also after a restart, and leaves others alone', async () => {
    const world = await createEngineWorld()
    const [failing = '', running = ''] = await world.engine.enqueueUploads(['a', 'b'].map(upload))
    const { context, end } = await world.runs.next()
    await world.runs.next()
    await context.deps.checkpoints.update(failing, { uploadId: 'U', uploadsBefore: ['V'] })
    end(FAILED)
    await expect.poll(() => world.row(failing)?.status).toBe('failed')
    await world.engine.rebucket([failing, running], 'other')
    const { record } = (await world.runs.next()).context
    const location = { ...PLACE, bucket: 'other' }
    expect(record).toMatchObject({
      location,
      uploadId: null,
      uploadsBefore: null,
      isNewUpload: false,
      onConflict: 'fail',
    })
    expect([world.row(failing)?.bucket, world.row(running)?.bucket]).toEqual(['other', 'media'])
    const again = await world.restart()
    await again.engine.load()
    expect(again.row(failing)?.bucket).toBe('other')
  })
})

test('starting over in sight of another object replaces it; otherwise none is replaced', async () => {
  const world = await createEngineWorld()
  const error = { code: 'key-not-accepted', detail: '', serviceCode: null, httpStatus: 403, requestId: null } as const
  const [id = ''] = await world.engine.enqueueUploads([{ ...upload('a'), onConflict: 'fail' }])
  for (const [code, onConflict] of [
    ['key-not-accepted', 'fail'],
    ['conflict-on-server', 'replace'],
  ] as const) {
    const { end } = await world.runs.next()
    end({ kind: 'failed', error: { ...error, code } })
    await expect.poll(() => world.row(id)?.status).toBe('failed')
    await world.engine.startOver([id])
    const { context } = await world.runs.next()
    expect(context.record).toMatchObject({ onConflict })
    await world.engine.pause([id])
    await world.engine.resume([id])
  }
})

test('what is added paused, as the options say, waits for a person, over a restart too', async () => {
  const world = await createEngineWorld({ addsPaused: true })
  const id = await enqueueUpload(world)
  expect(statuses(world)).toEqual(['a paused'])
  const later = await world.restart()
  await later.engine.load()
  expect(statuses(later)).toEqual(['a paused'])
  await later.engine.resume([id])
  await later.runs.next()
  expect(statuses(later)).toEqual(['a preparing'])
})

function failedUpload(index: number): UploadRecord {
  const error = { code: 'internal', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
  const named = { id: `p${index}`, position: index + 1, key: `k${index}`, sourcePath: `/s${index}` }
  return uploadRecord({ ...named, status: 'failed', uploadId: `U${index}`, error })
}
