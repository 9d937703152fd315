import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import type { CheckpointStore } from '../../../electron/engine/core/checkpoint-store.ts'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import type { DownloadRequest, EngineOptions, UploadRequest } from '../../../electron/engine/core/requests.ts'
import type { RunOutcome } from '../../../electron/engine/core/run.ts'
import { TransferEngine } from '../../../electron/engine/queue/engine.ts'
import type { ListPartsPage, ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { createFakeRuns, type FakeRuns } from '../fakes/fake-runs.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'

/** An engine on a real checkpoint store, with runs and a service that do what a test tells them. */
export interface EngineWorld {
  readonly engine: TransferEngine
  readonly runs: FakeRuns
  readonly clock: FakeClock
  readonly checkpoints: CheckpointStore
  /** Answers AbortMultipartUpload, and ListParts of what was aborted. */
  readonly service: FakeService
  row(id: TransferId): TransferRow | undefined
  /** Closes the engine, as quitting does, and opens another on the same folder with runs of its own. */
  restart(): Promise<EngineWorld>
  /** The same, but without closing what `prepare` sees: it writes the folder's checkpoints in between. */
  restartAfter(prepare: (checkpoints: CheckpointStore) => Promise<void>): Promise<EngineWorld>
}

export interface FakeService {
  abort: (uploadId: string) => Promise<void>
  listParts: () => Promise<ListPartsPage>
}

export const PLACE = { kind: 'place', placeId: 'place-1', bucket: 'media' } as const

export const OPTIONS: EngineOptions = {
  activeTransfers: 2,
  connectionsPerTransfer: 4,
  limits: NO_LIMITS,
  partSizeBytes: null,
  giveUpAfterMs: null,
}

export async function createEngineWorld(options: Partial<EngineOptions> = {}, folder?: string): Promise<EngineWorld> {
  const path = join(folder ?? (await tempDir()), 'queue.db')
  const clock = createFakeClock()
  const runs = createFakeRuns()
  const service: FakeService = { abort: () => Promise.resolve(), listParts: () => Promise.reject(noSuchUpload()) }
  const checkpoints = await openCheckpointStore(path, clock)
  let lastId = 0
  const deps: EngineDeps = {
    sidecarKey: SIDECAR_KEY,
    clock,
    random: () => 1,
    uuid: () => `id-${String(clock.nowMs())}-${String((lastId += 1))}`,
    fileSystem,
    hasher: {
      md5: () => Promise.reject(new Error('Nothing is hashed here.')),
      digest: () => Promise.reject(new Error('Nothing is hashed here.')),
      crc32: () => Promise.reject(new Error('Nothing is hashed here.')),
      read: () => {
        throw new Error('Nothing is hashed here.')
      },
      open: () => {
        throw new Error('Nothing is hashed here.')
      },
      close: () => Promise.resolve(),
    },
    checkpoints,
    openStore: () => fakeStore(service),
  }
  const engine = new TransferEngine(deps, { ...OPTIONS, ...options }, runs)
  onTestFinished(() => {
    runs.stopsByItself = true
    return engine.close()
  })
  const restartAfter = async (prepare: (checkpoints: CheckpointStore) => Promise<void>) => {
    await engine.close()
    const between = await openCheckpointStore(path, clock)
    await prepare(between)
    await between.close()
    return createEngineWorld(options, join(path, '..'))
  }
  return {
    engine,
    runs,
    clock,
    checkpoints,
    service,
    row: (id) => engine.snapshot().rows.find((row) => row.id === id),
    restart: () => restartAfter(() => Promise.resolve()),
    restartAfter,
  }
}

function fakeStore(service: FakeService): ObjectStore {
  const store: Partial<ObjectStore> = {
    abortMultipartUpload: ({ uploadId }) => service.abort(uploadId),
    listParts: () => service.listParts(),
  }
  return store as ObjectStore
}

export const COMPLETED: RunOutcome = { kind: 'completed', verification: 'etag-md5' }
export const FAILED: RunOutcome = {
  kind: 'failed',
  error: { code: 'access-denied', detail: 'no', serviceCode: 'AccessDenied', httpStatus: 403, requestId: 'r' },
}

export function networkError(): StoreError {
  return new StoreError(STORE_ERROR.network, 'connection reset')
}

export function noSuchUpload(): StoreError {
  return new StoreError('NoSuchUpload', 'gone', { httpStatus: 404 })
}

export function upload(key: string): UploadRequest {
  return { location: PLACE, key, sourcePath: `/files/${key}`, onConflict: 'replace' }
}

export function download(key: string, targetPath = `/downloads/${key}`): DownloadRequest {
  return { location: PLACE, key, targetPath, onConflict: 'keep-both' } as const
}

export async function enqueueUpload(world: EngineWorld, key = 'a'): Promise<string> {
  const [id] = await world.engine.enqueueUploads([upload(key)])
  return id ?? ''
}

export function statuses(world: EngineWorld): readonly string[] {
  return world.engine.snapshot().rows.map((row) => `${row.name} ${row.status}`)
}

export async function durable(world: EngineWorld): Promise<readonly string[]> {
  return (await world.checkpoints.load()).records.map((record) => `${record.key} ${record.status}`)
}
