import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import type { Clock, EngineDeps } from '../../../electron/engine/core/deps.ts'
import type { StoreLocation } from '../../../electron/engine/core/records.ts'
import { createEngine, openCheckpointStore, type Engine, type EngineOptions } from '../../../electron/engine/index.ts'
import { createUrlStore } from '../../../electron/stores/index.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { createStorageStore } from '../../../electron/stores/storage/storage-store.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { createTestHasher } from '../tools/hasher.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'
import { createFastClock } from '../worlds/download-fixture.ts'
import { OPTIONS } from '../worlds/engine-world.ts'
import { whenHolds } from '../tools/when-holds.ts'

/** The whole engine with real files and connections, objects behind a proxy that misbehaves, and links to them. */
export interface DownloadDesk {
  readonly proxy: FaultProxy
  /** Where downloads go. */
  readonly target: string
  /** Starts the engine on the state folder, as a new process would. Its connections are its own. */
  open(options?: DeskOptions): Promise<OpenDesk>
  put(key: string, bytes: Uint8Array): Promise<void>
  link(key: string, query?: string): string
}

export interface DeskOptions {
  readonly engine?: Partial<EngineOptions>
  readonly deps?: Partial<Pick<EngineDeps, 'clock' | 'random'>>
}

export interface OpenDesk {
  readonly engine: Engine
  /** As the app does when the machine wakes up. */
  dropConnections(): void
  download(url: string, name: string): Promise<TransferId>
  row(id: TransferId): TransferRow
  /** Resolves once the row looks like this. */
  until(id: TransferId, expected: object): Promise<TransferRow>
  history(id: TransferId): string
}

const NOBODY = { credentials: null, signature: 'none', scheme: 'STORAGE', region: '', dialect: 'storage' } as const

export async function createDownloadDesk(clock: Clock = createFastClock()): Promise<DownloadDesk> {
  const folder = await tempDir()
  const target = join(folder, 'target')
  await mkdir(target)
  const demo = await startDemoStore({ directory: join(folder, 'store'), buckets: ['demo'], credentials: null })
  const proxy = await startFaultProxy({ target: demo.endpoint })
  const direct = createStorageStore({ ...NOBODY, endpoint: demo.endpoint, bucket: 'demo', pathStyle: true })
  onTestFinished(async () => {
    await direct.close()
    await proxy.close()
    await demo.close()
  })
  return {
    proxy,
    target,
    link: (key, query = '') => `${proxy.endpoint}/demo/${key}${query}`,
    async put(key, bytes) {
      const body = { sizeBytes: bytes.length, open: () => asPieces(bytes) }
      await direct.putObject({ key, body, signal: new AbortController().signal })
    },
    async open({ engine: engineOptions, deps: ownDeps }: DeskOptions = {}) {
      const stores = new Map<string, ObjectStore>()
      const openStore = (location: StoreLocation): ObjectStore => {
        const url = location.kind === 'link' ? location.url : ''
        const store = stores.get(url) ?? createUrlStore(url)
        stores.set(url, store)
        return store
      }
      const hasher = await createTestHasher()
      const checkpoints = await openCheckpointStore(join(folder, 'queue.db'), clock)
      const deps = {
        clock,
        random: () => 0.5,
        uuid: randomUUID,
        sidecarKey: SIDECAR_KEY,
        fileSystem,
        hasher,
        checkpoints,
        openStore,
        ...ownDeps,
      }
      const engine = createEngine(deps, { ...OPTIONS, ...engineOptions })
      onTestFinished(async () => {
        await engine.close()
        await Promise.all([...stores.values()].map((store) => store.close()))
      })
      await engine.load()
      return openDesk(engine, stores, target)
    },
  }
}

function openDesk(engine: Engine, stores: ReadonlyMap<string, ObjectStore>, target: string): OpenDesk {
  const row = (id: TransferId): TransferRow => {
    const found = engine.snapshot().rows.find((candidate) => candidate.id === id)
    expect(found).toBeDefined()
    return found as TransferRow
  }
  return {
    engine,
    row,
    dropConnections() {
      for (const store of stores.values()) store.dropConnections()
    },
    async download(url, name) {
      const targetPath = join(target, name)
      const request = { location: { kind: 'link', url }, key: '', targetPath, onConflict: 'fail' } as const
      const [id = ''] = await engine.enqueueDownloads([request])
      return id
    },
    until: (id, expected) =>
      whenHolds(() => {
        const found = row(id)
        expect(found).toMatchObject(expected)
        return found
      }, 5),
    history: (id) => (engine.details(id)?.log ?? []).map(({ text }) => text).join('\n'),
  }
}

async function* asPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  for (let start = 0; start < bytes.length; start += 1_000_000) yield bytes.subarray(start, start + 1_000_000)
}
