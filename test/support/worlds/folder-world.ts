import { randomUUID } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import type { Clock } from '../../../electron/engine/core/deps.ts'
import type { FolderRequest } from '../../../electron/engine/core/requests.ts'
import type { FolderContext } from '../../../electron/engine/core/run.ts'
import { runDownload } from '../../../electron/engine/download/download.ts'
import { discardFolder, runFolder } from '../../../electron/engine/folders/download/folder-download.ts'
import {
  openSmallFiles,
  type OpenSmallFiles,
  type SmallFiles,
} from '../../../electron/engine/folders/download/small-files.ts'
import { discardUploadFolder, runUploadFolder } from '../../../electron/engine/folders/upload/folder-upload.ts'
import {
  openSourceFiles,
  type OpenSourceFiles,
  type SourceFiles,
} from '../../../electron/engine/folders/upload/source-files.ts'
import { discardDownload } from '../../../electron/engine/partial-file/partial-file.ts'
import { TransferEngine } from '../../../electron/engine/queue/engine.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import { resolveUpload } from '../../../electron/engine/upload/resolve-outcome.ts'
import { runUpload } from '../../../electron/engine/upload/upload.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { anonymousStore } from '../fakes/anonymous-store.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { createTestHasher } from '../tools/hasher.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { workerUrl } from '../tools/worker-url.ts'
import { OPTIONS, PLACE } from './engine-world.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'

/** Changes what the runs of folders are given. */
type Decorate = (context: FolderContext) => FolderContext

/** An engine with real runs on a folder, and an embedded store behind a proxy. */
export interface FolderWorld {
  readonly store: ObjectStore
  readonly proxy: FaultProxy
  /** Absolute path of the folder that is downloaded into. */
  readonly target: string
  put(key: string, content: string | Buffer): Promise<void>
  /** The file that the state is in. */
  readonly databasePath: string
  /** Starts an engine on the same state, as a new process would; in real time unless it is given another. */
  open(decorate?: Decorate, clock?: Clock): Promise<TransferEngine>
  /** Paths of everything in the target folder, hidden files too, sorted. */
  files(): Promise<readonly string[]>
  read(path: string): Promise<string>
  /** Sends GetObject for keys under the prefix so far. */
  fetched(): readonly string[]
}

/**
 * @param wrap what reads the files that are uploaded, changed as a test likes.
 * @param wrapFiles the same for what writes the files that are downloaded.
 */
export async function createFolderWorld(
  wrap: (sources: SourceFiles) => SourceFiles = (same) => same,
  wrapFiles: (files: SmallFiles) => SmallFiles = (same) => same,
): Promise<FolderWorld> {
  const folder = await tempDir()
  const target = join(folder, 'target')
  const demo = await startDemoStore({ directory: join(folder, 'store'), buckets: [PLACE.bucket], credentials: null })
  const proxy = await startFaultProxy({ target: demo.endpoint })
  const store = anonymousStore(proxy.endpoint, PLACE.bucket)
  const direct = anonymousStore(demo.endpoint, PLACE.bucket)
  onTestFinished(async () => {
    await Promise.all([store.close(), direct.close()])
    await proxy.close()
    await demo.close()
  })
  const url = await workerUrl('folders/download/small-file-worker.ts')
  const openFiles: OpenSmallFiles = (data, markOrigin) => wrapFiles(openSmallFiles(data, markOrigin, url))
  return {
    store,
    proxy,
    target,
    async put(key, content) {
      const bytes = Buffer.from(content)
      const body = { sizeBytes: bytes.length, open: () => pieces(bytes) }
      await direct.putObject({ key, body, signal: new AbortController().signal })
    },
    databasePath: join(folder, 'queue.db'),
    open: (decorate = (context) => context, clock = createSystemClock()) =>
      openEngine(folder, store, openFiles, { decorate, wrap, clock }),
    async files() {
      const entries = await fileSystem.readdir(target, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => !entry.isDirectory())
      return files.map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1)).sort()
    },
    read: (path) => fileSystem.readFile(join(target, path), 'utf8'),
    fetched: () =>
      proxy
        .requests({ method: 'GET', query: { prefix: false } })
        .map(({ url: sent }) => decodeURI(sent).slice(`/${PLACE.bucket}/`.length)),
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield Promise.resolve(bytes)
}

async function openEngine(
  folder: string,
  store: ObjectStore,
  openFiles: OpenSmallFiles,
  {
    decorate,
    wrap,
    clock,
  }: {
    readonly decorate: Decorate
    readonly wrap: (sources: SourceFiles) => SourceFiles
    readonly clock: Clock
  },
): Promise<TransferEngine> {
  const sourcesUrl = await workerUrl('folders/upload/source-files-worker.ts')
  const openSources: OpenSourceFiles = (paths, prefix) => wrap(openSourceFiles(paths, prefix, sourcesUrl))
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
  const engine = new TransferEngine(deps, OPTIONS, {
    upload: runUpload,
    download: runDownload,
    folder: (context) => runFolder(decorate(context), openFiles, runDownload),
    resolveUpload,
    discardDownload,
    discardFolder: (record, its) => discardFolder(record, its, openFiles, discardDownload),
    uploadFolder: (context) => runUploadFolder(context, openSources, runUpload),
    discardUploadFolder,
  })
  onTestFinished(() => engine.close())
  await engine.load()
  return engine
}

/** Downloads `data/` and waits for the end. */
export async function downloadFolder(
  world: FolderWorld,
  engine: TransferEngine,
  onConflict: FolderRequest['onConflict'] = 'fail',
): Promise<TransferRow> {
  const id = await enqueueFolder(world, engine, onConflict)
  await engine.idle()
  return rowOf(engine, id)
}

export function enqueueFolder(
  world: FolderWorld,
  engine: TransferEngine,
  onConflict: FolderRequest['onConflict'] = 'fail',
): Promise<TransferId> {
  return engine.enqueueFolder({ location: PLACE, prefix: 'data/', targetPath: world.target, onConflict })
}

export function rowOf(engine: TransferEngine, id: TransferId): TransferRow {
  const row = engine.snapshot().rows.find((each) => each.id === id)
  if (row === undefined) throw new Error(`There is no row ${id}`)
  return row
}
