import { describe, expect, test } from 'vitest'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  enqueueUpload,
  type EngineWorld,
  FAILED,
  networkError,
  noSuchUpload,
  PLACE,
  statuses,
  upload,
} from '../../support/worlds/engine-world.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

describe('cancel and remove', () => {
  test('a canceled download leaves no partial file', async () => {
    const world = await createEngineWorld()
    const [id = ''] = await world.engine.enqueueDownloads([download('a')])
    const run = await world.runs.next()
    await world.engine.cancel([id])
    expect(await run.stopped).toBe('cancel')
    expect([statuses(world), world.runs.discarded, await durable(world)]).toEqual([
      ['a canceled'],
      ['a'],
      ['a canceled'],
    ])
  })

  test('an abort is repeated until the service says so, over restarts too', async () => {
    const world = await createEngineWorld()
    world.service.abort = () => Promise.reject(new TypeError('not a refusal we know'))
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U' })
    await world.engine.cancel([id])
    await world.engine.idle()
    expect(await world.checkpoints.abortsDue()).toMatchObject([{ uploadId: 'U', key: 'a' }])
    const later = await world.restart()
    let tries = 0
    later.service.abort = () => {
      tries += 1
      return tries < 3 ? Promise.reject(networkError()) : Promise.reject(noSuchUpload())
    }
    await later.engine.load()
    const idle = later.engine.idle()
    await later.clock.untilSleeping()
    await later.clock.advance(30_000)
    await idle
    expect([tries, await later.checkpoints.abortsDue()]).toEqual([3, []])
  })

  test('an abort that the service refuses is reported, and its upload can be continued', async () => {
    const world = await createEngineWorld()
    let refuse: () => void = () => undefined
    world.service.abort = () => new Promise((_, reject) => (refuse = () => reject(accessDenied())))
    const told = tellNotDiscarded(world)
    await world.engine.discardUpload({ location: PLACE, key: 'a', uploadId: 'U' })
    expect(world.engine.isDiscarding('U')).toBe(true)
    refuse()
    await world.engine.idle()
    expect([world.engine.isDiscarding('U'), told]).toEqual([false, ['U']])
    expect(await world.checkpoints.abortsDue()).toMatchObject([{ uploadId: 'U' }])
    const plan = { partSizeBytes: 1, partCount: 1 }
    const source = { device: '1', fileId: '1', sizeBytes: 1, modifiedNs: '1', changedNs: '1' }
    const adopt = { uploadId: 'U', initiated: null, source, plan, proven: [], differing: [], isProvable: true }
    await world.engine.enqueueUploads([{ ...upload('a'), adopt }], { isPaused: true })
    const later = await world.restart()
    await later.engine.load()
    expect(statuses(later)).toEqual(['a paused'])
  })

  test('an abort that is refused at each start is reported once, and again after a person has asked for it', async () => {
    const world = await createEngineWorld()
    world.service.abort = () => Promise.reject(networkError())
    const due = { location: PLACE, key: 'a', uploadId: 'U' }
    await world.engine.discardUpload(due)
    await world.engine.close()
    const later = await world.restart()
    later.service.abort = () => Promise.reject(accessDenied())
    const told = tellNotDiscarded(later)
    await later.engine.load()
    await later.engine.idle()
    expect(told).toEqual(['U'])
    const last = await later.restart()
    last.service.abort = () => Promise.reject(accessDenied())
    const toldAgain = tellNotDiscarded(last)
    await last.engine.load()
    await last.engine.idle()
    expect(toldAgain).toEqual([])
    await last.engine.discardUpload(due)
    await last.engine.idle()
    expect(toldAgain).toEqual(['U'])
  })

  test('an upload that starts over has forgotten the one before as soon as that is to be aborted', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U' })
    await world.engine.pause([id])
    const { addAbort } = world.checkpoints
    const atAbort: unknown[] = []
    world.checkpoints.addAbort = async (abort) => {
      await addAbort(abort)
      // As the next process would find it, were this one to end now.
      atAbort.push(...(await world.checkpoints.load()).records)
    }
    await world.engine.startOver([id])
    expect(atAbort).toMatchObject([{ id, uploadId: null }])
  })

  test('what is still there after the service took an abort is aborted again', async () => {
    const world = await createEngineWorld()
    let aborts = 0
    world.service.abort = () => Promise.resolve(void (aborts += 1))
    // A part that was on its way came after the first.
    world.service.listParts = () =>
      aborts < 2
        ? Promise.resolve({ parts: [], nextPartNumberMarker: null, requestId: null })
        : Promise.reject(noSuchUpload())
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U' })
    await world.engine.cancel([id])
    const idle = world.engine.idle()
    await Promise.race([world.clock.untilSleeping(), idle])
    await world.clock.advance(30_000)
    await idle
    expect([aborts, await world.checkpoints.abortsDue()]).toEqual([2, []])
  })

  test('an upload that another transfer goes on with is aborted only with the last of them', async () => {
    const world = await createEngineWorld()
    const aborted: string[] = []
    world.service.abort = (uploadId) => Promise.resolve(void aborted.push(uploadId))
    const earlier = await enqueueUpload(world)
    const first = await world.runs.next()
    await first.context.deps.checkpoints.update(earlier, { uploadId: 'U' })
    first.end(FAILED)
    await world.engine.idle()
    const later = await enqueueUpload(world)
    const second = await world.runs.next()
    await second.context.deps.checkpoints.update(later, { uploadId: 'U' })
    await world.engine.remove([earlier])
    expect([await world.checkpoints.abortsDue(), aborted]).toEqual([[], []])
    expect([first.context.isTaken('U'), second.context.isTaken('U')]).toEqual([true, false])
    await world.engine.cancel([later])
    await world.engine.idle()
    expect(aborted).toEqual(['U'])
  })

  test('an abort that can’t be written down is tried all the same', async () => {
    const world = await createEngineWorld()
    const aborted: string[] = []
    world.service.abort = (uploadId) => {
      aborted.push(uploadId)
      return Promise.reject(noSuchUpload())
    }
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(id, { uploadId: 'U' })
    world.checkpoints.addAbort = () => Promise.reject(new Error('disk I/O error'))
    await world.engine.cancel([id])
    await world.engine.idle()
    expect([statuses(world), aborted]).toEqual([['a canceled'], ['U']])
  })

  describe('while the outcome of Complete is unknown', () => {
    const intent = { expectedEtag: 'e-1', sizeBytes: 1, baseline: null, parts: [], serverTimeMs: 0 }

    test.each(['while it runs', 'while it is paused'])(
      '%s, a cancel finds out first; too late is said',
      async (when) => {
        const world = await createEngineWorld()
        world.service.abort = () => Promise.reject(new Error('Nothing may be aborted.'))
        world.runs.settle = () => Promise.resolve(COMPLETED)
        const id = await enqueueUpload(world)
        const run = await world.runs.next()
        await run.context.deps.checkpoints.update(id, { uploadId: 'U', intent })
        if (when === 'while it is paused') await world.engine.pause([id])
        const canceled = world.engine.cancel([id])
        expect(statuses(world)).toEqual(['a pausing'])
        await canceled
        expect([statuses(world), await world.checkpoints.abortsDue()]).toEqual([['a completed'], []])
      },
    )

    test('what proves not to be completed is aborted', async () => {
      const world = await createEngineWorld()
      const aborted: string[] = []
      world.service.abort = (uploadId) => Promise.resolve(void aborted.push(uploadId))
      world.runs.settle = async (context) => {
        await context.deps.checkpoints.update(context.record.id, { intent: null })
        return { kind: 'stopped' }
      }
      const id = await enqueueUpload(world)
      const run = await world.runs.next()
      await run.context.deps.checkpoints.update(id, { uploadId: 'U', intent })
      run.end(FAILED)
      await world.engine.idle()
      await world.engine.cancel([id])
      await world.engine.idle()
      expect([statuses(world), aborted]).toEqual([['a canceled'], ['U']])
    })

    test('what can not be found out is not aborted: a person is asked', async () => {
      const world = await createEngineWorld()
      world.service.abort = () => Promise.reject(new Error('Nothing may be aborted.'))
      world.runs.settle = () => Promise.resolve(FAILED)
      const id = await enqueueUpload(world)
      const run = await world.runs.next()
      await run.context.deps.checkpoints.update(id, { uploadId: 'U', intent })
      await world.engine.cancel([id])
      expect([statuses(world), await world.checkpoints.abortsDue()]).toEqual([['a failed'], []])
      await world.engine.remove([id])
      expect([statuses(world), await world.checkpoints.abortsDue()]).toEqual([[], []])
    })
  })

  test('an upload that a person goes on with after all is not aborted under the new transfer', async () => {
    const world = await createEngineWorld()
    let tries = 0
    world.service.abort = () => {
      tries += 1
      return Promise.reject(new Error('no network'))
    }
    await world.engine.discardUpload({ location: PLACE, key: 'a', uploadId: 'U' })
    await expect.poll(() => tries).toBeGreaterThan(0)
    const id = await enqueueUpload(world)
    const source = { device: '1', fileId: '1', sizeBytes: 8, modifiedNs: '1', changedNs: '1' }
    const match = { uploadId: 'U', initiated: null, source, plan: { partSizeBytes: 8, partCount: 1 } }
    const run = world.runs.next()
    await world.engine.decideUpload(id, { ...match, proven: [], differing: [], isProvable: true })
    await run
    expect([world.engine.isDiscarding('U'), await world.checkpoints.abortsDue()]).toEqual([false, []])
    expect((await world.runs.next()).context.record).toMatchObject({ uploadId: 'U' })
  })

  test('a crash between the abort and its note does not revive the transfer', async () => {
    const world = await createEngineWorld()
    const later = await world.restartAfter(async (checkpoints) => {
      await checkpoints.insert([uploadRecord({ id: 'u', status: 'running', uploadId: 'U', location: PLACE })])
      await checkpoints.addAbort({ location: PLACE, key: 'clips/a.mov', uploadId: 'U' })
    })
    await later.engine.load()
    await later.engine.idle()
    expect([statuses(later), later.runs.startedKeys, await durable(later)]).toEqual([
      ['a.mov canceled'],
      [],
      ['clips/a.mov canceled'],
    ])
  })

  test('remove takes finished rows off the list for good and leaves the others', async () => {
    const world = await createEngineWorld({ activeTransfers: 3 })
    await world.engine.enqueueDownloads(['a', 'b', 'c'].map((key) => download(key)))
    ;(await world.runs.next()).end(COMPLETED)
    ;(await world.runs.next()).end(FAILED)
    await world.runs.next()
    await expect.poll(() => statuses(world)).toEqual(['a completed', 'b failed', 'c preparing'])
    world.engine.takeDelta()
    await world.engine.remove('all')
    expect([statuses(world), world.runs.discarded, await durable(world)]).toEqual([
      ['c preparing'],
      ['b'],
      ['c running'],
    ])
    expect(world.engine.takeDelta()?.removed).toHaveLength(2)
  })
})

/** Ids of uploads that stay on the service, as they are told. */
function tellNotDiscarded({ engine }: EngineWorld): readonly string[] {
  const told: string[] = []
  engine.onNotDiscarded(({ uploadId }) => told.push(uploadId))
  return told
}

function accessDenied(): StoreError {
  return new StoreError('AccessDenied', 'no', { httpStatus: 403 })
}

/** What a process that begins now would find. */
async function onDisk({ checkpoints }: EngineWorld) {
  const { records } = await checkpoints.load()
  return { records: records.filter(({ key }) => key === 'a'), aborts: await checkpoints.abortsDue() }
}

/** In its place: it is queued again. */
async function letAnotherRun(world: EngineWorld, id: TransferId): Promise<void> {
  await world.engine.pause([id])
  await enqueueUpload(world, 'b')
  await world.runs.next()
  await world.engine.resume([id])
}

/** The first row after a start with these, once nothing more happens by itself; a run that starts never ends. */
async function afterStartWith({ records, aborts }: Awaited<ReturnType<typeof onDisk>>) {
  const world = await createEngineWorld()
  world.service.abort = () => Promise.reject(noSuchUpload())
  await world.checkpoints.insert(records)
  await Promise.all(aborts.map((due) => world.checkpoints.addAbort(due)))
  await world.engine.load()
  await Promise.race([world.runs.next(), world.engine.idle()])
  return [...statuses(world), ...world.runs.startedKeys]
}

describe('a kill while a transfer is canceled', () => {
  test.each(['queued', 'running'] as const)('does not send a %s upload again', async (status) => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const found: Awaited<ReturnType<typeof onDisk>>[] = []
    const { addAbort, abortDone } = world.checkpoints
    world.checkpoints.addAbort = (due) => addAbort(due).then(async () => void found.push(await onDisk(world)))
    world.checkpoints.abortDone = (id) => abortDone(id).then(async () => void found.push(await onDisk(world)))
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    const plan = { partSizeBytes: 1, partCount: 1 }
    await run.context.deps.checkpoints.update(id, { plan, uploadId: 'U' })
    if (status === 'queued') await letAnotherRun(world, id)
    await world.engine.cancel([id])
    await whenHolds(() => expect(found).toHaveLength(2))
    for (const disk of found) expect(await afterStartWith(disk)).toEqual(['a canceled'])
  })

  test.each(['queued', 'running'] as const)('does not download again what is %s', async (status) => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const found: Awaited<ReturnType<typeof onDisk>>[] = []
    world.runs.discardDownload = async () => void found.push(await onDisk(world))
    const [id = ''] = await world.engine.enqueueDownloads([download('a')])
    const run = await world.runs.next()
    const identity = { sizeBytes: 1, etag: 'e', lastModified: null }
    await run.context.deps.checkpoints.update(id, { identity, partialPath: '/downloads/.a.part' })
    if (status === 'queued') await letAnotherRun(world, id)
    await world.engine.cancel([id])
    expect(found).toHaveLength(1)
    for (const disk of found) expect(await afterStartWith(disk)).toEqual(['a canceled'])
  })

  test.each(['folder', 'upload-folder'] as const)('does not go on with a %s', async (kind) => {
    const world = await createEngineWorld()
    const found: Awaited<ReturnType<typeof onDisk>>[] = []
    const discard = async () => void found.push(await onDisk(world))
    Object.assign(world.runs, { discardFolder: discard, discardUploadFolder: discard })
    const request = { location: PLACE, prefix: 'a', onConflict: 'replace' } as const
    const id = await (kind === 'folder'
      ? world.engine.enqueueFolder({ ...request, targetPath: '/downloads/a' })
      : world.engine.enqueueUploadFolder({ ...request, sourcePaths: ['/files/a'] }))
    await world.runs.next()
    await world.engine.cancel([id])
    expect(found).toHaveLength(1)
    for (const disk of found) expect(await afterStartWith(disk)).toEqual(['a canceled'])
  })
})

test('how canceled uploads ended is found out side by side, however many they are', async () => {
  const world = await createEngineWorld({ activeTransfers: 3 })
  const intent = { expectedEtag: null, sizeBytes: 1, baseline: null, parts: [], serverTimeMs: 0 }
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  let isLast = (): void => undefined
  const last = new Promise<void>((resolve) => (isLast = resolve))
  const asked: string[] = []
  world.runs.settle = async ({ record, deps }) => {
    asked.push(record.key)
    if (asked.length === keys.length) isLast()
    // None of them ends before all have begun.
    await last
    await deps.checkpoints.update(record.id, { intent: null })
    return { kind: 'stopped' }
  }
  await world.engine.enqueueUploads(keys.map(upload))
  for (const key of keys) {
    const run = await world.runs.next()
    await run.context.deps.checkpoints.update(run.context.record.id, { intent })
    // Half of them have failed, the others run.
    if (key < 'd') run.end(FAILED)
  }
  await world.engine.cancel('all')
  expect(asked.sort()).toEqual(keys)
  expect(statuses(world)).toEqual(keys.map((key) => `${key} canceled`))
})
