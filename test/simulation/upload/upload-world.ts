import { createEngine, type Engine, type EngineOptions } from '../../../electron/engine/index.ts'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import { createOpenUploads } from '../../../electron/engine/multipart/open-uploads.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import { Faults } from '../faults.ts'
import { drawLine, LOOPBACK_LINE, type LineTerms } from '../line/line-draw.ts'
import { openLine, type Line } from '../line/line.ts'
import { renewMemory } from '../machine/process-memory.ts'
import { createRandom, randomId, type Random } from '../random.ts'
import { SimCheckpoints } from '../machine/sim-checkpoints.ts'
import { SimDisk } from '../machine/sim-disk.ts'
import { SimFileSystem } from '../machine/sim-file-system.ts'
import { SimHasher } from '../machine/sim-hasher.ts'
import { SimProcess, type WallClock } from '../machine/sim-process.ts'
import { SimSources } from './sim-sources.ts'
import { Timeline, Trace } from '../timeline.ts'
import { UploadAccount } from './upload-account.ts'
import { UploadOracle } from './upload-oracle.ts'
import { SimUploadService } from './upload-service.ts'
import { SimUploadStore } from './upload-store.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

export const SOURCES = '/home/films'

/** Everything is so many times smaller. */
const SCALE = 1024
/** Worlds that are about a line, and nothing else goes wrong in them; and, of the others, those with a slow one. */
const HONEST_SHARE = 0.08
const LINE_SHARE = 0.1
/** Aborts that the program does not outlive, once they are written down. */
const KILL_AT_ABORT_SHARE = 0.3

/** A process and what it holds. */
interface Running {
  readonly process: SimProcess
  readonly engine: Engine
  readonly store: SimUploadStore
  readonly fileSystem: SimFileSystem
  /** False until the queue is read, and once it is being closed. */
  isReady: boolean
}

/** A machine with files, a service to upload them to, and the program between them, determined by a seed. */
export class UploadWorld {
  readonly timeline = new Timeline()
  readonly trace: Trace
  readonly random: Random
  readonly faults: Faults
  readonly disk: SimDisk
  readonly sources: SimSources
  readonly service: SimUploadService
  readonly oracle: UploadOracle
  readonly wall: WallClock = { offsetMs: 0 }
  /** Nothing misbehaves: what there is to see is how the program treats its line. */
  readonly isHonest: boolean
  readonly lineTerms: LineTerms
  readonly line: Line
  readonly account: UploadAccount
  /** A kill may come just when an abort was written down. */
  isKilledAtAborts: boolean
  options: EngineOptions
  running: Running | null = null
  database = new MemoryCheckpoints()
  readonly #asksFirst: boolean

  constructor(seed: number, keepsTrace: boolean) {
    this.trace = new Trace(this.timeline, keepsTrace)
    this.random = createRandom(seed)
    this.isHonest = this.random.chance(HONEST_SHARE)
    const hasLine = this.isHonest || this.random.chance(LINE_SHARE)
    this.lineTerms = hasLine ? drawLine(this.random, SCALE, this.isHonest) : LOOPBACK_LINE
    this.trace.note(`line ${this.lineTerms.name}${this.isHonest ? ', honest' : ''}`)
    this.faults = new Faults(this.random)
    if (this.isHonest) this.faults.heal()
    this.isKilledAtAborts = !this.isHonest
    this.disk = new SimDisk(this.random)
    this.disk.folder(SOURCES)
    this.sources = new SimSources(this.disk, this.random, this.timeline)
    this.service = new SimUploadService(this.timeline, this.random)
    this.oracle = new UploadOracle({ ...this, database: () => this.database })
    this.line = openLine(this.timeline, this.random, this.lineTerms)
    this.account = new UploadAccount(this, this.line.up)
    this.#asksFirst = !this.isHonest && this.random.chance(0.3)
    this.options = {
      activeTransfers: this.random.below(3) + 1,
      connectionsPerTransfer: this.isHonest ? null : this.random.pick([null, 1, 2, 3, 4]),
      limits: NO_LIMITS,
      partSizeBytes: this.isHonest ? null : this.random.pick([null, null, 6000, 20_000]),
      giveUpAfterMs: !this.isHonest && this.random.chance(0.2) ? 120_000 : null,
    }
  }

  /** Starts the program. */
  boot(): void {
    renewMemory(!this.isHonest)
    const { faults, random, trace, oracle, disk, timeline, service, database } = this
    const process = new SimProcess(timeline, random, this.wall)
    const parts = { process, faults, random, trace, rules: oracle }
    const fileSystem = new SimFileSystem({ ...parts, disk, root: SOURCES, hasLinks: true })
    const { line, lineTerms, account, isHonest } = this
    const onLine = { line, lineTerms, account, isHonest }
    const store = new SimUploadStore({ process, service, timeline, faults, random, oracle, trace, ...onLine })
    const watched = this.#watched(database)
    const checkpoints = new SimCheckpoints({ process, database: watched, faults, trace, onUpdate: () => undefined })
    const { addAbort } = checkpoints
    checkpoints.addAbort = (abort) =>
      addAbort.call(checkpoints, abort).then(
        () => timeline.at(0, () => this.#killAtAbort(process)),
        (failure: unknown) => {
          oracle.unrecorded(abort.uploadId)
          throw failure
        },
      )
    const deps: EngineDeps = {
      sidecarKey: SIDECAR_KEY,
      clock: process.clock,
      random: () => random.next(),
      uuid: () => randomId(random),
      fileSystem: fileSystem.asFileSystem(),
      hasher: new SimHasher(fileSystem, disk),
      checkpoints,
      openStore: () => store.asObjectStore(),
      ...(this.#asksFirst ? { openUploads: createOpenUploads(process.clock) } : {}),
    }
    const running: Running = { process, engine: createEngine(deps, this.options), store, fileSystem, isReady: false }
    this.running = running
    trace.note('boot')
    void running.engine.load().then(() => {
      running.isReady = true
    })
  }

  /** `kill -9`, or a power cut: what was committed stays, and requests that left go on. */
  crash(isPowerCut: boolean): void {
    this.trace.note(isPowerCut ? 'POWER CUT' : 'KILL')
    this.running?.process.kill()
    this.account.killed()
    this.running?.store.forget()
    this.running = null
    this.oracle.processEnded()
    if (isPowerCut) this.disk.powerCut()
    this.#bootLater(true)
  }

  /** What goes with an abort is durable with it. */
  #killAtAbort(process: SimProcess): void {
    if (this.running?.process !== process || !this.isKilledAtAborts) return
    if (this.random.chance(KILL_AT_ABORT_SHARE)) this.crash(false)
  }

  /** The program was closed in an orderly manner. */
  closed(): void {
    this.trace.note('closed')
    if (this.running !== null) this.running.process.isAlive = false
    this.running = null
    this.#bootLater(false)
  }

  /** The line cuts a connection. */
  resetOne(): void {
    this.running?.store.resetOne()
  }

  slowOne(): void {
    this.running?.store.slowOne()
  }

  configure(changes: Partial<EngineOptions>): void {
    this.options = { ...this.options, ...changes }
    this.running?.engine.configure(this.options)
  }

  #bootLater(isUnclean: boolean): void {
    this.timeline.at(1 + this.random.next() * 3000, () => {
      this.database = this.database.afterKill()
      this.database.afterUncleanStop = isUnclean
      this.boot()
    })
  }

  /** The oracle hears of every change to a record, at the moment it is durable. */
  #watched(database: MemoryCheckpoints): MemoryCheckpoints {
    const { oracle } = this
    const { update, remove } = database
    database.update = async (id, changes) => {
      const before = database.records.get(id)
      await update.call(database, id, changes)
      const after = database.records.get(id)
      if (before !== undefined && after !== undefined) oracle.updated(before, after)
    }
    database.remove = (ids) => {
      oracle.removed(ids.flatMap((id) => database.records.get(id) ?? []))
      return remove.call(database, ids)
    }
    return database
  }
}
