import { randomBytes, randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import type { Clock, EngineDeps, Hasher } from '../../../electron/engine/core/deps.ts'
import { createEngine, openCheckpointStore, type Engine, type EngineOptions } from '../../../electron/engine/index.ts'
import { createStore } from '../../../electron/stores/index.ts'
import type { ObjectStore, RequestBody } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { OPTIONS, PLACE } from '../worlds/engine-world.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { createTestHasher } from '../tools/hasher.ts'
import { watchInRealTime } from '../worlds/real-time.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'
import { whenHolds } from '../tools/when-holds.ts'

const CREDENTIALS = { accessKeyId: 'key', secretAccessKey: 'secret' }
const never = new AbortController().signal

/** Part size of every upload here. */
export const PART = 6 * MIB
export const KEY = 'folder/file.bin'

/** A clock on which every wait is over at once and still counts. */
export interface DeskClock extends Clock {
  /** Moves the wall clock alone. */
  shiftWallClock(byMs: number): void
  /** Called after each wait, before whoever waited goes on. */
  onWaited: () => unknown
}

/** The whole engine with a real file, checkpoints and connections, and a service behind a proxy that misbehaves. */
export interface UploadDesk {
  /** What the client says to the service, and only that. */
  readonly proxy: FaultProxy
  readonly clock: DeskClock
  readonly sourcePath: string
  readonly bytes: Buffer
  /** The service as others use it, past the proxy. */
  readonly others: ServiceHand
  /** Starts the engine on the state folder, as a new process would. Its connections are its own. */
  open(options?: Partial<EngineOptions>): Promise<OpenUploadDesk>
}

/** What happens at the service without our client. */
export interface ServiceHand {
  readonly store: ObjectStore
  /** Uploads of the key that are open. */
  uploadIds(): Promise<readonly string[]>
  /** Begins an upload of the key. */
  begin(): Promise<string>
  /** Completes the open upload with all its parts. */
  complete(): Promise<void>
  /** Throws the open upload away, as a clean-up rule does. */
  expire(): Promise<void>
  /** Another client writes the key. */
  write(bytes: Uint8Array): Promise<void>
  /** What the key holds; null: nothing. */
  content(): Promise<Buffer | null>
}

export interface OpenUploadDesk {
  readonly engine: Engine
  /** As the app does when the machine wakes up. */
  dropConnections(): void
  upload(key?: string): Promise<TransferId>
  row(id: TransferId): TransferRow
  until(id: TransferId, expected: object): Promise<TransferRow>
  history(id: TransferId): string
  /** What `kill -9` leaves: from now on it does nothing, and `open` finds the checkpoints as they are on disk now. */
  kill(): Promise<void>
}

export async function createUploadDesk(sizeBytes = PART + 5): Promise<UploadDesk> {
  const folder = await tempDir()
  const demo = await startDemoStore({ directory: join(folder, 'store'), buckets: ['demo'], credentials: CREDENTIALS })
  const proxy = await startFaultProxy({ target: demo.endpoint })
  const direct = openStore(demo.endpoint, Date.now)
  onTestFinished(async () => {
    await direct.close()
    await proxy.close()
    await demo.close()
  })
  const sourcePath = join(folder, 'file.bin')
  const bytes = randomBytes(sizeBytes)
  await fileSystem.writeFile(sourcePath, bytes)
  const hasher = await createTestHasher()
  const clock = createDeskClock()
  let lives = 1
  let state = join(folder, 'state-1')
  return {
    proxy,
    clock,
    sourcePath,
    bytes,
    others: serviceHand(direct),
    async open(options = {}) {
      const path = join(state, 'queue.db')
      const opened = await openEngine({ path, endpoint: proxy.endpoint, clock, hasher, options })
      return {
        ...openDesk(opened.engine, sourcePath),
        dropConnections: opened.dropConnections,
        async kill() {
          const before = state
          state = join(folder, `state-${String((lives += 1))}`)
          opened.freeze()
          await fileSystem.mkdir(state)
          for (const name of await fileSystem.readdir(before)) {
            if (!name.endsWith('-shm')) await fileSystem.copyFile(join(before, name), join(state, name))
          }
        },
      }
    },
  }
}

interface EngineParts {
  readonly path: string
  readonly endpoint: string
  readonly clock: Clock
  readonly hasher: Hasher
  readonly options: Partial<EngineOptions>
}

async function openEngine({ path, endpoint, clock, hasher, options }: EngineParts) {
  const store = openStore(endpoint, () => clock.nowMs())
  const freezable = createFreezable(store)
  const checkpoints = await openCheckpointStore(path, clock)
  const deps: EngineDeps = {
    sidecarKey: SIDECAR_KEY,
    clock,
    random: () => 0.5,
    uuid: randomUUID,
    fileSystem,
    hasher,
    checkpoints,
    openStore: () => freezable.store,
  }
  const engine = createEngine(deps, { ...OPTIONS, partSizeBytes: PART, ...options })
  onTestFinished(async () => {
    await engine.close()
    await store.close()
  })
  await engine.load()
  const dropConnections = () => {
    store.dropConnections()
  }
  return { engine, freeze: freezable.freeze, dropConnections }
}

function openDesk(engine: Engine, sourcePath: string): Omit<OpenUploadDesk, 'kill' | 'dropConnections'> {
  const row = (id: TransferId): TransferRow => {
    const found = engine.snapshot().rows.find((candidate) => candidate.id === id)
    expect(found).toBeDefined()
    return found as TransferRow
  }
  return {
    engine,
    row,
    async upload(key = KEY) {
      const [id = ''] = await engine.enqueueUploads([{ location: PLACE, key, sourcePath, onConflict: 'fail' }])
      return id
    },
    until: (id, expected) =>
      whenHolds(() => {
        const found = row(id)
        expect(found).toMatchObject(expected)
        return found
      }, 10),
    history: (id) => (engine.details(id)?.log ?? []).map(({ text }) => text).join('\n'),
  }
}

/** A store whose requests, once frozen, are cut and answered nothing but their own abort. */
function createFreezable(store: ObjectStore): { readonly store: ObjectStore; readonly freeze: () => void } {
  let isFrozen = false
  const nothing = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) => {
      const end = () => {
        reject(signal.reason as Error)
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
    })
  const freezing =
    <Request extends { readonly signal: AbortSignal }, Result>(send: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      if (isFrozen) return nothing(request)
      try {
        const result = await send(request)
        return isFrozen ? await nothing(request) : result
      } catch (error) {
        if (isFrozen) return nothing(request)
        throw error
      }
    }
  return {
    store: {
      ...store,
      getObject: freezing(store.getObject),
      headObject: freezing(store.headObject),
      putObject: freezing(store.putObject),
      createMultipartUpload: freezing(store.createMultipartUpload),
      uploadPart: freezing(store.uploadPart),
      listParts: freezing(store.listParts),
      listMultipartUploads: freezing(store.listMultipartUploads),
      completeMultipartUpload: freezing(store.completeMultipartUpload),
      abortMultipartUpload: freezing(store.abortMultipartUpload),
    },
    freeze() {
      isFrozen = true
      store.dropConnections()
    },
  }
}

function serviceHand(store: ObjectStore): ServiceHand {
  const signal = never
  const uploadIds = async () =>
    (await store.listMultipartUploads({ prefix: KEY, signal })).uploads.map(({ uploadId }) => uploadId)
  const theUpload = async () => {
    const [uploadId, ...more] = await uploadIds()
    expect([uploadId, more]).toEqual([expect.any(String), []])
    return { key: KEY, uploadId: uploadId ?? '', signal }
  }
  return {
    store,
    uploadIds,
    begin: async () => (await store.createMultipartUpload({ key: KEY, signal })).uploadId,
    async complete() {
      const address = await theUpload()
      const { parts } = await store.listParts(address)
      await store.completeMultipartUpload({ ...address, parts })
    },
    expire: async () => store.abortMultipartUpload(await theUpload()),
    async write(bytes) {
      await store.putObject({ key: KEY, body: bodyOf(bytes), signal })
    },
    async content() {
      const { objects } = await store.listObjects({ prefix: KEY, signal })
      if (objects.length === 0) return null
      const result = await store.getObject({ key: KEY, signal })
      const blocks: Buffer[] = []
      if (result.kind === 'content') for await (const block of result.body) blocks.push(Buffer.from(block))
      return Buffer.concat(blocks)
    },
  }
}

function createDeskClock(): DeskClock {
  let [skippedMs, wallOffsetMs] = [0, 0]
  const monotonicMs = () => performance.now() + skippedMs
  const clock: DeskClock = {
    nowMs: () => Date.now() + skippedMs + wallOffsetMs,
    monotonicMs,
    async sleep(delayMs, signal) {
      const watching = watchInRealTime(delayMs, signal)
      if (watching !== null) return await watching
      const wakeAtMs = monotonicMs() + delayMs
      await delay(1, undefined, { signal }).catch(() => {
        throw signal.reason
      })
      skippedMs += Math.max(0, wakeAtMs - monotonicMs())
      await clock.onWaited()
    },
    shiftWallClock(byMs) {
      wallOffsetMs += byMs
    },
    onWaited: () => undefined,
  }
  return clock
}

function openStore(endpoint: string, now: () => number): ObjectStore {
  return createStore({
    endpoint,
    bucket: 'demo',
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: 'hmac-sha1',
    region: '',
    credentials: CREDENTIALS,
    now,
  })
}

function bodyOf(bytes: Uint8Array): RequestBody {
  return {
    sizeBytes: bytes.length,
    async *open() {
      await Promise.resolve()
      yield bytes
    },
  }
}
