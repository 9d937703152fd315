import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createEngine, createSystemClock, openCheckpointStore, type Engine } from '../../../electron/engine/index.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { anonymousStore } from '../../support/fakes/anonymous-store.ts'
import { OPTIONS, PLACE } from '../../support/worlds/engine-world.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const MIB = 1024 * 1024
const SIZE = 64 * MIB + 7

const limitedTo = (totalBytesPerSecond: number | null) => ({ ...NO_LIMITS, totalBytesPerSecond })

interface Desk {
  readonly folder: string
  /** Starts the engine on the folder as a new process would. */
  open(limitBytesPerSecond?: number | null): Promise<Engine>
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
  const store = anonymousStore(demo.endpoint, PLACE.bucket)
  onTestFinished(() => store.close())
  const open = async (limitBytesPerSecond: number | null = null) => {
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
    const engine = createEngine(deps, { ...OPTIONS, limits: limitedTo(limitBytesPerSecond) })
    onTestFinished(() => engine.close())
    await engine.load()
    return engine
  }
  return { folder, open }
}

/** Resolves once some of the only transfer is durable. */
async function untilConfirmed(engine: Engine): Promise<void> {
  await expect.poll(() => engine.snapshot().rows[0]?.confirmedBytes).toBeGreaterThan(0)
}

test('a file goes up and comes back the same, through a pause and a quit each way', async () => {
  const desk = await createDesk()
  const sourcePath = join(desk.folder, 'source.bin')
  const sha256 = await writeRandomFile(sourcePath, SIZE)
  const first = await desk.open(32 * MIB)
  const [id = ''] = await first.enqueueUploads([
    { location: PLACE, key: 'clips/source.bin', sourcePath, onConflict: 'fail' },
  ])
  await untilConfirmed(first)
  await first.pause([id])
  const paused = first.snapshot().rows[0]
  expect(paused).toMatchObject({ status: 'paused', sizeBytes: SIZE, inFlightBytes: 0 })
  await first.close()

  const second = await desk.open()
  expect(second.snapshot().rows[0]).toMatchObject({ status: 'paused', confirmedBytes: paused?.confirmedBytes })
  await second.resume('all')
  await second.idle()
  expect(second.snapshot().rows[0]).toMatchObject({ status: 'completed', verification: 'etag-multipart', error: null })
  const targetPath = join(desk.folder, 'target.bin')
  second.configure({ ...OPTIONS, limits: limitedTo(32 * MIB) })
  await second.remove('all')
  await second.enqueueDownloads([{ location: PLACE, key: 'clips/source.bin', targetPath, onConflict: 'fail' }])
  await untilConfirmed(second)
  await second.close()

  const third = await desk.open()
  await third.idle()
  expect(third.snapshot().rows).toMatchObject([{ status: 'completed', confirmedBytes: SIZE, localPath: targetPath }])
  expect(await sha256Of(targetPath)).toBe(sha256)
  expect(await fileSystem.readdir(desk.folder)).not.toContainEqual(expect.stringMatching(/\.part/))
})
