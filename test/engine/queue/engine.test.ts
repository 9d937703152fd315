import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  COMPLETED,
  createEngineWorld,
  download,
  durable,
  enqueueUpload,
  FAILED,
  OPTIONS,
  statuses,
  upload,
  type EngineWorld,
} from '../../support/worlds/engine-world.ts'
import type { RunReporter } from '../../../electron/engine/core/run.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

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
      etaSeconds: 10,
      unitsDone: 3,
      unitsTotal: 10,
      activeMs: 6000,
    })
    expect(world.engine.details(id)).toMatchObject({
      uploadId: 'U',
      unitSizeBytes: 100,
      averageBytesPerSecond: 50,
      cells: ['found', 'found', 'done', ...Array.from({ length: 7 }, () => 'waiting')],
      log: [{ text: 'Added' }, { text: 'Started' }, { text: 'Part 3 is there', requestId: 'request-3' }],
    })
  })

  test('one pace, and no peak or mean above the limit in force, however much came ahead of it', async () => {
    const world = await createEngineWorld({ limits: { ...NO_LIMITS, totalBytesPerSecond: 1000 } })
    const id = await enqueueUpload(world)
    const { report } = (await world.runs.next()).context
    report.size(1_000_000)
    report.stage('transferring')
    await move(world, report, { seconds: 10, bytesPerSecond: 1020 })
    expect(world.row(id)?.bytesPerSecond).toBe(1000)
    const details = world.engine.details(id)
    expect(details).toMatchObject({ averageBytesPerSecond: 1000, peakBytesPerSecond: 1000 })
    expect(details?.speed.recent.every((rate) => (rate ?? 0) <= 1000)).toBe(true)
  })

  test('a wait is no part of the time that it took, nor of its mean', async () => {
    const world = await createEngineWorld({ activeTransfers: 1 })
    const id = await enqueueUpload(world)
    const next = await enqueueUpload(world, 'b')
    const { report } = (await world.runs.next()).context
    report.size(1_000_000)
    report.stage('transferring')
    await move(world, report, { seconds: 4, bytesPerSecond: 1000 })
    report.waiting({ reason: 'network', retryAtMs: null, attempt: 1 })
    for (let second = 0; second < 60; second += 1) {
      await world.clock.advance(1000)
      world.engine.takeDelta()
    }
    expect(world.row(id)?.status).toBe('waiting')
    expect(world.row(id)?.activeMs).toBe(4000)
    expect(world.engine.details(id)?.averageBytesPerSecond).toBe(1000)
    expect(world.row(next)).toMatchObject({ status: 'queued', activeMs: 0 })
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

/** Bytes come evenly, and are looked at once a second. */
async function move(
  world: EngineWorld,
  report: RunReporter,
  { seconds, bytesPerSecond }: { readonly seconds: number; readonly bytesPerSecond: number },
): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    report.moved(bytesPerSecond)
    await world.clock.advance(1000)
    world.engine.takeDelta()
  }
}
