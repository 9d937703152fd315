import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createEngine, createSystemClock, openCheckpointStore, type Engine } from '../../../electron/engine/index.ts'
import { anonymousStore } from '../../support/fakes/anonymous-store.ts'
import { startTcpProxy, type TcpProxy } from '../../support/proxies/tcp-proxy.ts'
import { OPTIONS, PLACE } from '../../support/worlds/engine-world.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const MIB = 1024 * 1024
const SIZE = 64 * MIB + 7
/** Where the line stands still each way: more than all connections carry before their first answers. */
const HALF = 32 * MIB

interface Desk {
  readonly folder: string
  /** What lies between the engine and the service. */
  readonly line: TcpProxy
  /** Starts the engine on the folder as a new process would. */
  open(): Promise<Engine>
}

/** A folder, a demo store and what a process needs to transfer between them. */
async function createDesk(): Promise<Desk> {
  const folder = await tempDir()
  const demo = await startDemoStore({
    directory: join(folder, 'store'),
    buckets: [PLACE.bucket],
    credentials: null,
  })
  onTestFinished(() => demo.close())
  const line = await startTcpProxy({ targetPort: Number(new URL(demo.endpoint).port) })
  onTestFinished(() => line.close())
  const store = anonymousStore(line.endpoint, PLACE.bucket)
  onTestFinished(() => store.close())
  const open = async () => {
    const clock = createSystemClock()
    const hasher = await createTestHasher()
    const checkpoints = await openCheckpointStore(join(folder, 'queue.db'), clock)
    const deps = {
      clock,
      random: Math.random,
      uuid: randomUUID,
      sidecarKey: SIDECAR_KEY,
      fileSystem,
      hasher,
      checkpoints,
      openStore: () => store,
    }
    const engine = createEngine(deps, OPTIONS)
    onTestFinished(() => engine.close())
    await engine.load()
    return engine
  }
  return { folder, line, open }
}

/** Resolves once some of the only transfer is durable. */
async function untilConfirmed(engine: Engine): Promise<void> {
  await expect.poll(() => engine.snapshot().rows[0]?.confirmedBytes).toBeGreaterThan(0)
}

test('a file goes up and comes back the same, through a pause and a quit each way', async () => {
  const desk = await createDesk()
  const sourcePath = join(desk.folder, 'source.bin')
  const sha256 = await writeRandomFile(sourcePath, SIZE)
  const first = await desk.open()
  const [id = ''] = await first.enqueueUploads([
    { location: PLACE, key: 'clips/source.bin', sourcePath, onConflict: 'fail' },
  ])
  await desk.line.passedToTarget(HALF)
  desk.line.limit(0)
  await untilConfirmed(first)
  await first.pause([id])
  const paused = first.snapshot().rows[0]
  expect(paused).toMatchObject({ status: 'paused', sizeBytes: SIZE, inFlightBytes: 0 })
  await first.close()
  desk.line.limit(null)

  const second = await desk.open()
  expect(second.snapshot().rows[0]).toMatchObject({ status: 'paused', confirmedBytes: paused?.confirmedBytes })
  await second.resume('all')
  await second.idle()
  expect(second.snapshot().rows[0]).toMatchObject({ status: 'completed', verification: 'etag-multipart', error: null })
  const targetPath = join(desk.folder, 'target.bin')
  await second.remove('all')
  const received = desk.line.bytesToClient
  await second.enqueueDownloads([{ location: PLACE, key: 'clips/source.bin', targetPath, onConflict: 'fail' }])
  await desk.line.passed(received + HALF)
  desk.line.limit(0)
  await untilConfirmed(second)
  await second.close()
  desk.line.limit(null)

  const third = await desk.open()
  await third.idle()
  expect(third.snapshot().rows).toMatchObject([{ status: 'completed', confirmedBytes: SIZE, localPath: targetPath }])
  expect(await sha256Of(targetPath)).toBe(sha256)
  expect(await fileSystem.readdir(desk.folder)).not.toContainEqual(expect.stringMatching(/\.part/))
})

test('a paused download shows the ranges that are there in part, and does so after a quit', async () => {
  const desk = await createDesk()
  const sourcePath = join(desk.folder, 'source.bin')
  await writeRandomFile(sourcePath, SIZE)
  const first = await desk.open()
  await first.enqueueUploads([{ location: PLACE, key: 'source.bin', sourcePath, onConflict: 'fail' }])
  await first.idle()
  await first.remove('all')
  const received = desk.line.bytesToClient
  const targetPath = join(desk.folder, 'target.bin')
  const request = { location: PLACE, key: 'source.bin', targetPath, onConflict: 'fail' } as const
  const [id = ''] = await first.enqueueDownloads([request])
  // Not where a range ends.
  await desk.line.passed(received + HALF + 3 * MIB)
  desk.line.limit(0)
  await untilConfirmed(first)
  await first.pause([id])
  const cells = first.details(id)?.cells ?? []
  expect(cells).toContain('begun')
  expect(cells).not.toContain('active')
  await first.close()

  const second = await desk.open()
  expect(second.details(id)?.cells).toEqual(cells)
})
