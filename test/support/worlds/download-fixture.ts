import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import type { Clock, FileSystem, Hasher, MarkOrigin } from '../../../electron/engine/core/deps.ts'
import type { DownloadRecord } from '../../../electron/engine/core/records.ts'
import type { RunContext, RunOutcome, StopReason } from '../../../electron/engine/core/run.ts'
import { createWindDown } from '../../../electron/engine/core/wind-down.ts'
import { runDownload } from '../../../electron/engine/download/download.ts'
import { BODY_LOOK_INTERVAL_MS } from '../../../electron/engine/flow-control/stall-watch.ts'
import { createProgressCounter, type ProgressCounter } from '../../../electron/engine/transfer/progress-counter.ts'
import { SILENT_MS } from '../../../electron/engine/volumes/drive-silence.ts'
import { createStore, createUrlStore } from '../../../electron/stores/index.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { Credentials } from '../../../electron/stores/port/store-connection.ts'
import type { WaitState } from '../../../shared/transfer/transfer.ts'
import { MemoryCheckpoints } from '../fakes/memory-checkpoints.ts'
import { downloadRecord } from '../fakes/records.ts'
import { UNLIMITED } from '../fakes/unlimited.ts'
import { startFaultProxy, type FaultProxy } from '../fault-server/fault-server.ts'
import { createTestHasher } from '../tools/hasher.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'

const KEY = 'data/set.bin'

/** One object in a demo store behind a proxy that can misbehave, and a folder to download it to. */
export interface DownloadFixture {
  readonly directory: string
  readonly target: string
  readonly proxy: FaultProxy
  readonly store: ObjectStore
  readonly checkpoints: MemoryCheckpoints
  /** What runs go by unless they are given another. */
  readonly clock: Clock
  /** The same bucket, past the proxy. */
  readonly direct: ObjectStore
  /** The process was killed; the next run is of another. */
  restart(): void
  /** Another object under the same key, from now on. */
  put(bytes: Uint8Array): Promise<void>
  /** Enters the record into the checkpoints. */
  enter(changes?: Partial<DownloadRecord>): Promise<void>
  /** One run of the record as the checkpoints have it now. */
  begin(options?: RunOptions): Running
  /** Payload bytes that the proxy has sent so far. */
  sentBytes(): number
  /** Names in the target folder. */
  files(): Promise<readonly string[]>
}

export interface RunOptions {
  readonly store?: ObjectStore
  readonly fileSystem?: FileSystem
  readonly hasher?: Hasher
  readonly connections?: RunContext<DownloadRecord>['connections']
  readonly giveUpAfterMs?: number | null
  readonly onMoved?: (totalBytes: number) => void
  readonly clock?: Clock
  readonly markOrigin?: MarkOrigin
}

export interface Running {
  readonly outcome: Promise<RunOutcome>
  readonly progress: ProgressCounter
  readonly log: readonly string[]
  readonly units: ReadonlyMap<number, string>
  readonly waits: readonly string[]
  /** The same in full, with the wall clock's time when each began. */
  readonly waitStates: readonly (WaitState & { readonly atMs: number })[]
  stop(reason: StopReason): void
}

export interface FixtureOptions {
  /** The object is downloaded by its address, as a link. */
  readonly asLink?: boolean
  /** The store asks for them; the client signs with `signsWith`, or with the same. */
  readonly credentials?: Credentials
  readonly signsWith?: Credentials
  /** The client's wall clock. */
  readonly now?: () => number
}

export async function downloadFixture(
  bytes: Uint8Array | null,
  { asLink = false, credentials, signsWith = credentials, now }: FixtureOptions = {},
): Promise<DownloadFixture> {
  const directory = join(await tempDir(), 'target')
  await fs.mkdir(directory)
  const demo = await startDemoStore({
    directory: join(directory, '../store'),
    buckets: ['demo'],
    credentials: credentials ?? null,
  })
  const proxy = await startFaultProxy({ target: demo.endpoint })
  const direct = openStore(demo.endpoint, credentials)
  const link = `${proxy.endpoint}/demo/${KEY}`
  const store = asLink ? createUrlStore(link) : openStore(proxy.endpoint, signsWith, now)
  onTestFinished(async () => {
    await Promise.all([store.close(), direct.close()])
    await proxy.close()
    await demo.close()
  })
  let checkpoints = new MemoryCheckpoints()
  const hasher = await createTestHasher()
  const target = join(directory, 'set.bin')
  const id = randomUUID()
  const clock = createFastClock()
  const fixture: DownloadFixture = {
    directory,
    target,
    proxy,
    store,
    direct,
    clock,
    get checkpoints() {
      return checkpoints
    },
    restart() {
      checkpoints = checkpoints.afterKill()
    },
    async put(content) {
      await direct.putObject({ key: KEY, body: bodyOf(content), signal: new AbortController().signal })
    },
    enter: (changes = {}) =>
      checkpoints.insert([downloadRecord({ id, key: KEY, targetPath: target, onConflict: 'fail', ...changes })]),
    begin(options = {}) {
      const record = checkpoints.records.get(id) as DownloadRecord
      return beginRun({ store, hasher, clock, ...options }, record, checkpoints)
    },
    sentBytes: () => proxy.log.reduce((sum, entry) => sum + entry.responseBytes, 0),
    files: () => fs.readdir(directory),
  }
  if (bytes !== null) await fixture.put(bytes)
  await fixture.enter(asLink ? { location: { kind: 'link', url: link } } : {})
  return fixture
}

function beginRun(
  options: RunOptions & { readonly store: ObjectStore; readonly hasher: Hasher },
  record: DownloadRecord,
  checkpoints: MemoryCheckpoints,
): Running {
  const {
    store,
    hasher,
    fileSystem = fs,
    connections = 4,
    giveUpAfterMs = null,
    onMoved,
    clock = createFastClock(),
  } = options
  const { markOrigin = () => Promise.resolve() } = options
  const controller = new AbortController()
  const progress = createProgressCounter()
  const log: string[] = []
  const waits: string[] = []
  const waitStates: (WaitState & { readonly atMs: number })[] = []
  const units = new Map<number, string>()
  const context: RunContext<DownloadRecord> = {
    record,
    store,
    deps: {
      sidecarKey: SIDECAR_KEY,
      clock,
      random: () => 0,
      uuid: randomUUID,
      fileSystem,
      hasher,
      checkpoints,
      openStore: () => store,
      markOrigin,
    },
    limiter: UNLIMITED,
    connections,
    partSizeBytes: null,
    giveUpAfterMs,
    signal: controller.signal,
    windDown: createWindDown(),
    isTaken: () => false,
    abandon: () => Promise.reject(new Error('A download has nothing at the service')),
    report: {
      stage: () => undefined,
      size: () => undefined,
      units: () => undefined,
      unit: (index, state) => void units.set(index, state),
      moved(bytes) {
        progress.moved(bytes)
        onMoved?.(progress.movedBytes)
      },
      confirmed: (bytes, how) => {
        progress.confirmed(bytes, how)
      },
      closing: () => undefined,
      waiting(wait) {
        if (wait === null) return
        waits.push(wait.reason)
        waitStates.push({ ...wait, atMs: clock.nowMs() })
      },
      finishing: () => undefined,
      dropped: () => undefined,
      log: (text) => void log.push(text),
      facts: () => undefined,
    },
  }
  const outcome = runDownload(context)
  return { outcome, progress, log, units, waits, waitStates, stop: (reason) => controller.abort(reason) }
}

/** Longer waits than this are skipped (milliseconds). */
const LONG_WAIT_MS = 3000

/**
 * Real time, so that connections are as fast as they are, but after a long wait it has moved on by a jump. That
 * somebody looks at a body, or whether the drive answers, now and then is no wait; with `skipsLooks` it is one to look at
 * a body: a jump makes all connections seem to have been silent.
 */
export function createFastClock(skipsLooks = false): Clock {
  let skippedMs = 0
  const monotonicMs = () => performance.now() + skippedMs
  return {
    nowMs: () => Date.now() + skippedMs,
    monotonicMs,
    async sleep(delayMs, signal) {
      const wakeAtMs = monotonicMs() + delayMs
      const isLook = delayMs === BODY_LOOK_INTERVAL_MS && !skipsLooks
      const isSkipped = delayMs > LONG_WAIT_MS && !isLook && delayMs !== SILENT_MS
      await delay(isSkipped ? delayMs / 100 : delayMs, undefined, { signal }).catch(() => {
        throw signal.reason
      })
      skippedMs += Math.max(0, wakeAtMs - monotonicMs())
    },
  }
}

function openStore(endpoint: string, credentials?: Credentials, now: () => number = Date.now): ObjectStore {
  return createStore({
    endpoint,
    bucket: 'demo',
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: credentials === undefined ? 'none' : 'hmac-sha1',
    region: '',
    credentials: credentials ?? null,
    now,
  })
}

function bodyOf(bytes: Uint8Array) {
  return {
    sizeBytes: bytes.length,
    async *open() {
      await Promise.resolve()
      for (let start = 0; start < bytes.length; start += 1_000_000) yield bytes.subarray(start, start + 1_000_000)
    },
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** SHA-256 of a file, hex. */
export async function sha256OfFile(path: string): Promise<string> {
  return sha256(await fs.readFile(path))
}
