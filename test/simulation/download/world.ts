import { NO_LIMITS } from '../../../shared/settings.ts'
import { createEngine, type Engine, type EngineOptions } from '../../../electron/engine/index.ts'
import type { EngineDeps } from '../../../electron/engine/core/deps.ts'
import { MemoryCheckpoints } from '../../support/fakes/memory-checkpoints.ts'
import { Faults } from '../faults.ts'
import { DownloadAccount } from './download-account.ts'
import { drawLine, LOOPBACK_LINE, type LineTerms } from '../line/line-draw.ts'
import { openLine, type Line } from '../line/line.ts'
import { Oracle } from './oracle.ts'
import { renewMemory } from '../machine/process-memory.ts'
import { createRandom, randomId, type Random } from '../random.ts'
import { SimCheckpoints } from '../machine/sim-checkpoints.ts'
import { SimDisk } from '../machine/sim-disk.ts'
import { SimFileSystem } from '../machine/sim-file-system.ts'
import { SimHasher } from '../machine/sim-hasher.ts'
import { SimProcess, type WallClock } from '../machine/sim-process.ts'
import { SimService } from './sim-service.ts'
import { SimStore } from './sim-store.ts'
import { Timeline, Trace } from '../timeline.ts'
import { SIDECAR_KEY } from '../../support/tools/sidecar-key.ts'

export const ROOT = '/home/downloads'

/** Everything is so many times smaller. */
const SCALE = 512
/** Worlds that are about a line, and nothing else goes wrong in them; and, of the others, those with a slow one. */
const HONEST_SHARE = 0.07
const LINE_SHARE = 0.1

/** Transfers that may run, each with its connections and those that it is leaving. */
const MAX_CONNECTIONS = 3 * (4 + 2)

const BURST_BYTES = 40_000
/** Rests of answers that are read only to keep their connections: 64 KiB each at least, however small the world. */
const DRAINED_BYTES = 4 * 64 * 1024

/** A process and what it holds. */
export interface Running {
  readonly process: SimProcess
  readonly engine: Engine
  readonly store: SimStore
  readonly fileSystem: SimFileSystem
  /** False until the queue is read, and once it is being closed. */
  isReady: boolean
}

/** A machine, a service and the program between them, all in virtual time and determined by a seed. */
export class World {
  readonly timeline = new Timeline()
  readonly trace: Trace
  readonly random: Random
  readonly faults: Faults
  readonly disk: SimDisk
  readonly service: SimService
  readonly oracle: Oracle
  readonly wall: WallClock = { offsetMs: 0 }
  /** Nothing misbehaves: what there is to see is how the program treats its line. */
  readonly isHonest: boolean
  readonly lineTerms: LineTerms
  readonly line: Line
  readonly account: DownloadAccount
  options: EngineOptions
  running: Running | null = null
  #database = new MemoryCheckpoints()
  readonly #hasLinks: boolean

  constructor(seed: number, keepsTrace: boolean) {
    this.trace = new Trace(this.timeline, keepsTrace)
    this.random = createRandom(seed)
    this.isHonest = this.random.chance(HONEST_SHARE)
    const hasLine = this.isHonest || this.random.chance(LINE_SHARE)
    this.lineTerms = hasLine ? drawLine(this.random, SCALE, this.isHonest) : LOOPBACK_LINE
    this.trace.note(`line ${this.lineTerms.name}${this.isHonest ? ', honest' : ''}`)
    this.faults = new Faults(this.random)
    if (this.isHonest) this.faults.heal()
    this.disk = new SimDisk(this.random)
    this.service = new SimService(this.timeline, this.random)
    this.oracle = new Oracle(this.timeline, this.disk, this.service)
    this.line = openLine(this.timeline, this.random, this.lineTerms)
    this.account = new DownloadAccount(this, this.line.down)
    this.#hasLinks = this.random.chance(0.8)
    this.disk.folder(ROOT)
    this.options = {
      activeTransfers: this.random.below(3) + 1,
      connectionsPerTransfer: this.isHonest ? null : this.random.below(4) + 1,
      limits: NO_LIMITS,
      partSizeBytes: null,
      giveUpAfterMs: !this.isHonest && this.random.chance(0.2) ? 120_000 : null,
    }
  }

  /** Starts the program. */
  boot(): void {
    renewMemory()
    const process = new SimProcess(this.timeline, this.random, this.wall)
    const { faults, random, trace, oracle, disk } = this
    const parts = { process, faults, random, trace, rules: oracle }
    const fileSystem = new SimFileSystem({ ...parts, disk, root: ROOT, hasLinks: this.#hasLinks })
    const { service, timeline, line, lineTerms, account, isHonest } = this
    const store = new SimStore({ ...parts, service, timeline, line, lineTerms, account, isHonest })
    const database = this.#database
    const checkpoints = new SimCheckpoints({
      ...parts,
      database,
      onUpdate: (id, { status }) => {
        const record = database.records.get(id)
        if (status === 'completed' && record !== undefined) oracle.completed(record)
      },
    })
    const deps: EngineDeps = {
      sidecarKey: SIDECAR_KEY,
      clock: process.clock,
      random: () => random.next(),
      uuid: () => randomId(random),
      fileSystem: fileSystem.asFileSystem(),
      hasher: new SimHasher(fileSystem, disk),
      checkpoints,
      openStore: () => store.asObjectStore(),
    }
    const running: Running = { process, engine: createEngine(deps, this.options), store, fileSystem, isReady: false }
    this.running = running
    this.tellLimit()
    trace.note('boot')
    void running.engine.load().then(() => {
      running.isReady = true
    })
  }

  /** `kill -9`: what the program had written stays. With a power cut, what was not synced may go. */
  crash(isPowerCut: boolean): void {
    this.trace.note(isPowerCut ? 'POWER CUT' : 'KILL')
    this.running?.process.kill()
    this.running?.store.forget()
    this.account.killed()
    this.running = null
    this.oracle.forget()
    if (isPowerCut) this.disk.powerCut()
    this.oracle.checkNames()
    this.#bootLater(true)
  }

  /** The program was closed in an orderly manner. */
  closed(): void {
    this.trace.note('closed')
    if (this.running !== null) this.running.process.isAlive = false
    this.running = null
    this.oracle.forget()
    this.#bootLater(false)
  }

  configure(changes: Partial<EngineOptions>): void {
    this.options = { ...this.options, ...changes }
    this.running?.engine.configure(this.options)
    this.tellLimit()
  }

  /** The limit is held to from now on. */
  tellLimit(): void {
    this.oracle.limitChanged(
      this.options.limits.totalBytesPerSecond,
      BURST_BYTES + DRAINED_BYTES + MAX_CONNECTIONS * 2048,
    )
  }

  /** The line cuts a connection. */
  resetOne(): void {
    this.running?.store.resetOne()
  }

  slowOne(): void {
    this.running?.store.slowOne()
  }

  /** A person puts a file of their own there, unless there is one. */
  putUsersFile(path: string): void {
    if (this.disk.file(path) !== null) return
    const file = this.disk.create(path, true)
    file.write(0, Buffer.from(`mine: ${path}`))
    file.sync()
    this.disk.folder(ROOT).sync()
  }

  #bootLater(isUnclean: boolean): void {
    this.timeline.at(1 + this.random.next() * 3000, () => {
      this.#database = this.#database.afterKill()
      this.#database.afterUncleanStop = isUnclean
      this.boot()
    })
  }
}
