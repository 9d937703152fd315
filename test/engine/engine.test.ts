import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EngineWorld } from '../support/engine-world.ts'
import { createEngineWorld, OPTIONS, PLACE } from '../support/engine-world.ts'
import type { RunOutcome } from '../../electron/engine/run.ts'
import { STORE_ERROR, StoreError } from '../../electron/stores/store-error.ts'
import { downloadRecord, uploadRecord } from '../support/records.ts'
import { tempDir } from '../support/temp-dir.ts'

const COMPLETED: RunOutcome = { kind: 'completed', verification: 'etag-md5' }
const FAILED: RunOutcome = {
  kind: 'failed',
  error: { code: 'access-denied', detail: 'no', serviceCode: 'AccessDenied', httpStatus: 403, requestId: 'r' },
}

function networkError(): StoreError {
  return new StoreError(STORE_ERROR.network, 'connection reset')
}

function noSuchUpload(): StoreError {
  return new StoreError('NoSuchUpload', 'gone', { httpStatus: 404 })
}

function upload(key: string) {
  return { location: PLACE, key, sourcePath: `/files/${key}` }
}

function download(key: string, targetPath = `/downloads/${key}`) {
  return { location: PLACE, key, targetPath, onConflict: 'keep-both' } as const
}

async function enqueueUpload(world: EngineWorld, key = 'a'): Promise<string> {
  const [id] = await world.engine.enqueueUploads([upload(key)])
  return id ?? ''
}

function statuses(world: EngineWorld): readonly string[] {
  return world.engine.snapshot().rows.map((row) => `${row.name} ${row.status}`)
}

async function durable(world: EngineWorld): Promise<readonly string[]> {
  return (await world.checkpoints.load()).records.map((record) => `${record.key} ${record.status}`)
}

describe('the queue', () => {
  test('as many run as allowed, in order; the next starts when one ends', async () => {
    const world = await createEngineWorld({ activeTransfers: 2 })
    await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
    const first = await world.runs.next()
    expect(statuses(world)).toEqual(['a preparing', 'b preparing', 'c queued'])
    first.end(COMPLETED)
    await world.runs.next()
    await world.runs.next()
    expect(statuses(world)).toEqual(['a completed', 'b preparing', 'c preparing'])
  })

  test('raising the limit starts more at once', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    await world.engine.enqueueUploads(['a', 'b'].map(upload))
    await world.runs.next()
    world.engine.configure({ ...OPTIONS, activeTransfers: 2 })
    expect((await world.runs.next()).context.record.key).toBe('b')
  })

  test('two uploads to one key and two downloads to one file run one after the other; others pass', async () => {
    const world = await createEngineWorld({ activeTransfers: 9 })
    await world.engine.enqueueUploads([upload('same'), upload('same'), upload('other')])
    await world.engine.enqueueDownloads([download('x', '/d/File.txt'), download('y', '/d/file.TXT')])
    const first = await world.runs.next()
    expect(world.runs.startedKeys).toEqual(['same', 'other', 'x'])
    first.end(COMPLETED)
    await world.runs.next()
    await world.runs.next()
    expect((await world.runs.next()).context.record.key).toBe('same')
  })

  test('idle resolves when nothing is queued or running', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    const idle = world.engine.idle()
    run.end(COMPLETED)
    await idle
    expect(world.row(id)?.status).toBe('completed')
    expect(await durable(world)).toEqual(['a completed'])
  })

  test('a run that throws, or stops unasked, fails its transfer and no other', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const [a, b] = await world.engine.enqueueUploads(['a', 'b'].map(upload))
    const run = await world.runs.next()
    run.end({ kind: 'stopped' })
    const second = await world.runs.next()
    expect(world.row(a ?? '')?.error?.code).toBe('internal')
    second.end(COMPLETED)
    await world.engine.idle()
    expect(world.row(b ?? '')?.status).toBe('completed')
  })

  test('the size of a queued upload is shown before its turn', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const sourcePath = join(await tempDir(), 'b')
    await writeFile(sourcePath, 'twelve bytes')
    const [, id] = await world.engine.enqueueUploads([upload('a'), { ...upload('b'), sourcePath }])
    await expect.poll(() => world.row(id ?? '')?.sizeBytes).toBe(12)
  })
})

describe('what a row shows', () => {
  test('stages, bytes, units, pace and facts as the run reports them', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.size(1000)
    report.units({ count: 10, unitSizeBytes: 100 })
    report.facts({ uploadId: 'U' })
    report.confirmed(200, 'found')
    report.unit(0, 'found')
    report.unit(1, 'found')
    report.stage('transferring')
    report.unit(2, 'active')
    for (let second = 0; second < 6; second += 1) {
      report.moved(50)
      await world.clock.advance(1000)
      world.engine.takeDelta()
    }
    report.confirmed(100, 'moved')
    report.unit(2, 'done')
    report.log('Part 3 is there', 'request-3')
    expect(world.row(id)).toMatchObject({
      status: 'transferring',
      sizeBytes: 1000,
      confirmedBytes: 300,
      inFlightBytes: 200,
      bytesPerSecond: 50,
      etaSeconds: 14,
      unitsDone: 3,
      unitsTotal: 10,
      activeMs: 6000,
    })
    expect(world.engine.details(id)).toMatchObject({
      uploadId: 'U',
      unitSizeBytes: 100,
      averageBytesPerSecond: 50,
      cells: ['found', 'found', 'done', ...Array.from({ length: 7 }, () => 'waiting')],
      log: [{ text: 'Part 3 is there', requestId: 'request-3' }],
    })
  })

  test('a wait shows why and until when, and ends when bytes move', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.stage('transferring')
    const wait = { reason: 'server-busy', retryAtMs: 5, attempt: 3 } as const
    report.waiting(wait)
    expect(world.row(id)).toMatchObject({ status: 'waiting', wait })
    report.moved(1)
    expect(world.row(id)).toMatchObject({ status: 'transferring', wait: null })
    report.waiting(wait)
    report.waiting(null)
    expect(world.row(id)).toMatchObject({ status: 'transferring', wait: null })
  })

  test('a failure keeps its error, also over a restart', async () => {
    const world = await createEngineWorld()
    const id = await enqueueUpload(world)
    ;(await world.runs.next()).end(FAILED)
    await world.engine.idle()
    const expected = { status: 'failed', error: { code: 'access-denied', requestId: 'r' } }
    expect(world.row(id)).toMatchObject(expected)
    const later = await world.restart()
    await later.engine.load()
    expect(later.row(id)).toMatchObject(expected)
  })

  test('links are named by their address without the query', async () => {
    const world = await createEngineWorld()
    const location = { kind: 'link', url: 'https://example.com/a/b.iso?signature=secret' } as const
    await world.engine.enqueueDownloads([{ ...download('b.iso'), location }])
    expect(JSON.stringify(world.engine.snapshot())).not.toContain('secret')
    expect(world.engine.snapshot().rows[0]?.key).toBe('https://example.com/a/b.iso')
  })
})

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
})

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

  test('while the outcome of Complete is unknown the run finds out first, and nothing is aborted', async () => {
    const world = await createEngineWorld()
    world.service.abort = () => Promise.reject(new Error('Nothing may be aborted.'))
    const id = await enqueueUpload(world)
    const run = await world.runs.next()
    const intent = { expectedEtag: 'e-1', sizeBytes: 1, baseline: null, parts: [], serverTimeMs: 0 }
    await run.context.deps.checkpoints.update(id, { uploadId: 'U', intent })
    const canceled = world.engine.cancel([id])
    expect([run.context.signal.aborted, statuses(world)]).toEqual([false, ['a pausing']])
    run.end(COMPLETED)
    await canceled
    expect([statuses(world), await world.checkpoints.abortsDue()]).toEqual([['a completed'], []])
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

  test('sleep stops runs without pausing them; waking continues them on new connections', async () => {
    const world = await createEngineWorld()
    await enqueueUpload(world)
    const run = await world.runs.next()
    await world.engine.suspend()
    expect([await run.stopped, statuses(world)]).toEqual(['close', ['a queued']])
    world.engine.wake()
    await world.runs.next()
    expect([statuses(world), world.service.connectionsDropped]).toEqual([['a preparing'], 1])
  })
})
