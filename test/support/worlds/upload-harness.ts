import { randomBytes, randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import type { DueAbort, UploadRecord } from '../../../electron/engine/core/records.ts'
import type { RunContext, RunOutcome, RunReporter, RunStage } from '../../../electron/engine/core/run.ts'
import { createWindDown, type WindDown } from '../../../electron/engine/core/wind-down.ts'
import { runUpload } from '../../../electron/engine/upload/upload.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { UnitState } from '../../../shared/transfer/transfer.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { MemoryCheckpoints } from '../fakes/memory-checkpoints.ts'
import { MemoryStore } from '../fakes/memory-store.ts'
import { UNLIMITED } from '../fakes/unlimited.ts'
import { createTestHasher } from '../tools/hasher.ts'
import { watchInRealTime } from './real-time.ts'
import { tempDir } from '../tools/temp-dir.ts'
import { SIDECAR_KEY } from '../tools/sidecar-key.ts'

/** What a run told, added up. */
export interface Told {
  moved: number
  confirmed: number
  found: number
  sizeBytes: number | null
  readonly units: Map<number, UnitState>
  readonly stages: RunStage[]
  readonly waits: string[]
  /** What it let end when it was wound down, each time that changed. */
  readonly finishing: (number | null)[]
  dropped: number
  readonly log: string[]
}

/** One upload with real files and threads, a store of the test's choice and a clock that jumps. */
export interface UploadHarness {
  readonly store: MemoryStore
  readonly checkpoints: MemoryCheckpoints
  readonly clock: FakeClock
  readonly deps: EngineDeps
  readonly bytes: Buffer
  readonly sourcePath: string
  readonly key: string
  /** What its runs gave up. */
  readonly abandoned: DueAbort[]
  /** Told by the latest run. */
  told: Told
  /** The durable record as it is now. */
  record(): UploadRecord
  /** What a run of the durable record is given. */
  context(options?: RunOptions): RunContext<UploadRecord>
  /** Runs from the durable record; time passes whenever the run waits. */
  run(options?: RunOptions): Promise<RunOutcome>
}

export interface RunOptions {
  readonly store?: ObjectStore
  readonly signal?: AbortSignal
  readonly windDown?: WindDown
  readonly partSizeBytes?: number | null
  readonly connections?: RunContext<UploadRecord>['connections']
  readonly giveUpAfterMs?: number | null
  readonly deps?: EngineDeps
  readonly isTaken?: RunContext<UploadRecord>['isTaken']
}

export async function createUploadHarness(sizeBytes: number, key = 'folder/file.bin'): Promise<UploadHarness> {
  const store = new MemoryStore()
  const checkpoints = new MemoryCheckpoints()
  const clock = createFakeClock()
  store.nowMs = () => clock.nowMs()
  const bytes = randomBytes(sizeBytes)
  const sourcePath = join(await tempDir(), 'file.bin')
  await fs.writeFile(sourcePath, bytes)
  const hasher = await createTestHasher(1)
  const deps: EngineDeps = {
    sidecarKey: SIDECAR_KEY,
    clock: impatient(clock),
    random: () => 0.5,
    uuid: randomUUID,
    fileSystem: fs,
    hasher,
    checkpoints,
    openStore: () => store,
  }
  const id = randomUUID()
  await checkpoints.insert([newRecord(id, key, sourcePath)])
  const harness: UploadHarness = {
    store,
    checkpoints,
    clock,
    deps,
    bytes,
    sourcePath,
    key,
    abandoned: [],
    told: nothingTold(),
    record: () => checkpoints.records.get(id) as UploadRecord,
    context(options = {}) {
      harness.told = nothingTold()
      return {
        record: harness.record(),
        store: options.store ?? store,
        deps: options.deps ?? deps,
        limiter: UNLIMITED,
        connections: options.connections ?? 3,
        partSizeBytes: options.partSizeBytes ?? null,
        giveUpAfterMs: options.giveUpAfterMs ?? null,
        signal: options.signal ?? new AbortController().signal,
        windDown: options.windDown ?? createWindDown(),
        isTaken: options.isTaken ?? (() => false),
        abandon: (upload) => Promise.resolve(void harness.abandoned.push(upload)),
        report: reporter(harness.told),
      }
    },
    run: (options) => runUpload(harness.context(options)),
  }
  return harness
}

/**
 * Whoever sleeps on it moves it on at once: waits take no time and are still counted. What watches bytes on their way,
 * and files, does so in real time, as what it watches moves.
 */
function impatient(clock: FakeClock): FakeClock {
  return {
    ...clock,
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    async sleep(delayMs, signal) {
      const watching = watchInRealTime(delayMs, signal)
      if (watching !== null) return await watching
      const sleeping = clock.sleep(delayMs, signal)
      await Promise.all([sleeping, clock.advance(delayMs)])
    },
  }
}

function newRecord(id: string, key: string, sourcePath: string): UploadRecord {
  return {
    id,
    position: 1,
    location: { kind: 'place', placeId: 'memory', bucket: 'memory' },
    key,
    status: 'running',
    error: null,
    verification: null,
    createdAtMs: 0,
    finishedAtMs: null,
    activeMs: 0,
    direction: 'upload',
    sourcePath,
    source: null,
    plan: null,
    uploadId: null,
    intent: null,
    onConflict: 'replace',
  }
}

function nothingTold(): Told {
  return {
    moved: 0,
    confirmed: 0,
    found: 0,
    sizeBytes: null,
    units: new Map(),
    stages: [],
    waits: [],
    finishing: [],
    dropped: 0,
    log: [],
  }
}

function reporter(told: Told): RunReporter {
  return {
    stage: (stage) => void told.stages.push(stage),
    size(sizeBytes) {
      told.sizeBytes = sizeBytes
    },
    units({ count }) {
      for (let index = 0; index < count; index += 1) told.units.set(index, 'waiting')
    },
    unit: (index, state) => void told.units.set(index, state),
    moved(bytes) {
      told.moved += bytes
    },
    confirmed(bytes, how) {
      told.confirmed += bytes
      if (how === 'found') told.found += bytes
    },
    closing: () => undefined,
    waiting(wait) {
      if (wait !== null) told.waits.push(wait.reason)
    },
    finishing: (units) => void told.finishing.push(units),
    dropped(bytes) {
      told.dropped += bytes
    },
    log: (text) => void told.log.push(text),
    facts: () => undefined,
  }
}
