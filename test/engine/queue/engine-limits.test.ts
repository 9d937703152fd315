import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createEngine, openCheckpointStore, type Engine } from '../../../electron/engine/index.ts'
import { MIB } from '../../../shared/limits.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { anonymousStore } from '../../support/fakes/anonymous-store.ts'
import { createEngineWorld, enqueueUpload, OPTIONS, PLACE } from '../../support/worlds/engine-world.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

const SIZE = 12 * MIB
/** What can be read ahead of the limit: a block for each connection. */
const BURST = MIB / 8
const AHEAD = (OPTIONS.connectionsPerTransfer ?? 4) * MIB

interface Desk {
  readonly engine: Engine
  readonly clock: FakeClock
  readonly path: (name: string) => string
  /** Bytes of a transfer that crossed the wire. */
  movedBytes(id: TransferId): number
}

/** A real service and real files, but time that stands still until the test moves it. */
async function createDesk(): Promise<Desk> {
  const folder = await tempDir()
  const demo = await startDemoStore({ directory: join(folder, 'store'), buckets: [PLACE.bucket], credentials: null })
  onTestFinished(() => demo.close())
  const store = anonymousStore(demo.endpoint, PLACE.bucket)
  onTestFinished(() => store.close())
  const clock = createFakeClock()
  const engine = createEngine(
    {
      clock,
      random: () => 0,
      uuid: randomUUID,
      sidecarKey: SIDECAR_KEY,
      fileSystem,
      hasher: await createTestHasher(),
      checkpoints: await openCheckpointStore(join(folder, 'queue.db'), clock),
      openStore: () => store,
    },
    OPTIONS,
  )
  onTestFinished(() => engine.close())
  await engine.load()
  return {
    engine,
    clock,
    path: (name) => join(folder, name),
    movedBytes(id) {
      const row = engine.snapshot().rows.find((each) => each.id === id)
      return row === undefined ? 0 : row.confirmedBytes + row.inFlightBytes
    },
  }
}

test('limits hold over real connections, for each direction and each transfer, and when they change', async () => {
  const { engine, clock, path, movedBytes } = await createDesk()
  const sourcePath = path('source')
  await writeRandomFile(sourcePath, SIZE)
  const [seed = ''] = await engine.enqueueUploads([{ location: PLACE, key: 'seed', sourcePath, onConflict: 'replace' }])
  while (engine.snapshot().rows[0]?.status !== 'completed') await clock.advance(5)
  expect(movedBytes(seed)).toBe(SIZE)

  engine.configure({ ...OPTIONS, activeTransfers: 3, limits: { ...NO_LIMITS, uploadBytesPerSecond: MIB / 2 } })
  const [up = ''] = await engine.enqueueUploads([{ location: PLACE, key: 'up', sourcePath, onConflict: 'replace' }])
  const [down = ''] = await engine.enqueueDownloads([
    { location: PLACE, key: 'seed', targetPath: path('down'), onConflict: 'fail' },
  ])
  await engine.setLimit([down], MIB)
  const begunMs = clock.monotonicMs()
  // Time only passes here, so that no load of the machine can make the transfers look too fast.
  while (movedBytes(up) < MIB || movedBytes(down) < MIB) {
    await clock.advance(5)
    const seconds = (clock.monotonicMs() - begunMs) / 1000
    expect(movedBytes(up)).toBeLessThanOrEqual((seconds * MIB) / 2 + BURST)
    expect(movedBytes(down)).toBeLessThanOrEqual(seconds * MIB + BURST + AHEAD)
  }
  expect(clock.monotonicMs() - begunMs).toBeGreaterThan(1500)
  await engine.setLimit([down], null)
  const statusOf = (id: TransferId) => engine.snapshot().rows.find((row) => row.id === id)?.status
  while (statusOf(down) !== 'completed') await clock.advance(5)
  engine.configure(OPTIONS)
  while (statusOf(up) !== 'completed') await clock.advance(5)
  expect(engine.snapshot().rows.map((row) => row.status)).toEqual(['completed', 'completed', 'completed'])
})

test('the limit of a transfer survives a restart, and is lifted for good', async () => {
  const world = await createEngineWorld()
  const id = await enqueueUpload(world)
  await world.engine.setLimit([id], 2048)
  expect(world.row(id)?.limitBytesPerSecond).toBe(2048)
  expect((await world.runs.next()).context.limiter.limitBytesPerSecond).toBe(2048)
  const second = await world.restart()
  await second.engine.load()
  expect(second.row(id)?.limitBytesPerSecond).toBe(2048)
  const { context } = await second.runs.next()
  second.engine.configure({ ...OPTIONS, limits: { ...NO_LIMITS, totalBytesPerSecond: 1024 } })
  expect(context.limiter.limitBytesPerSecond).toBe(1024)
  second.engine.configure(OPTIONS)
  await second.engine.setLimit('all', null)
  expect(context.limiter.limitBytesPerSecond).toBeNull()
  const third = await second.restart()
  await third.engine.load()
  expect(third.row(id)?.limitBytesPerSecond).toBeNull()
})

test('what is set while the server is waited for holds for the run that follows', async () => {
  const world = await createEngineWorld()
  const id = await enqueueUpload(world)
  const { report } = (await world.runs.next()).context
  report.waiting({ reason: 'server-busy', retryAtMs: world.clock.nowMs() + 60_000, attempt: 1, isAsked: true })
  await world.engine.pause([id])
  await world.engine.resume([id])
  expect(world.row(id)?.status).toBe('waiting')
  await world.engine.setLimit([id], 2048)
  world.engine.configure({ ...OPTIONS, connectionsPerTransfer: 2, partSizeBytes: 8 * MIB, giveUpAfterMs: 60_000 })
  const run = world.runs.next()
  await world.clock.advance(60_000)
  const { limiter, connections, partSizeBytes, giveUpAfterMs } = (await run).context
  expect(limiter.limitBytesPerSecond).toBe(2048)
  expect({ connections, partSizeBytes, giveUpAfterMs }).toEqual({
    connections: 2,
    partSizeBytes: 8 * MIB,
    giveUpAfterMs: 60_000,
  })
})
