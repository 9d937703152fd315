// Files of a share that hangs, or of a drive that wakes up: they give no bytes for a while.

import { mostMs, type LineWork } from '../line/line-life.ts'
import { HANG_MS } from '../line/line-rules.ts'
import type { UploadWorld } from './upload-world.ts'

const LASTS_MS = [2000, 20_000, 60_000]
const LOOK_MS = 100

/** Lets files hang once, and holds the program to it that others are through as soon as if these were not there. */
export class HangingFiles {
  readonly #world: UploadWorld
  readonly #work: LineWork
  /** When all would have to be through, milliseconds of virtual time. */
  readonly #untilMs: number
  #paths: ReadonlySet<string> = new Set()
  #isOver = false
  #endedAtMs = 0

  constructor(world: UploadWorld, work: LineWork, untilMs: number) {
    this.#world = world
    this.#work = work
    this.#untilMs = untilMs
  }

  /** When all have to be through, milliseconds of virtual time. */
  get untilMs(): number {
    if (!this.#isOver) return this.#untilMs
    const { up } = this.#world.line
    return Math.max(this.#untilMs + HANG_MS, this.#endedAtMs + mostMs(this.#world, up.terms, this.#work))
  }

  /** The file that is read next hangs, sometimes with another one: for a while, or until others are through. */
  begin(): void {
    this.#world.disk.hang.atNextRead((path) => this.#hang(path))
  }

  #hang(path: string): void {
    const { trace, disk, timeline, random, sources, options } = this.#world
    this.#paths = new Set([path, random.chance(0.3) ? random.pick(sources.paths) : path])
    // Others have places in the queue.
    const leavesRoom = this.#paths.size < Math.min(sources.paths.length, options.activeTransfers)
    const lastsMs = leavesRoom && random.chance(0.7) ? null : random.pick(LASTS_MS)
    trace.note(`HANG of ${[...this.#paths].join()}`)
    disk.hang.begin(this.#paths)
    if (lastsMs !== null) timeline.at(lastsMs, () => this.#end())
    if (leavesRoom) this.#watch(lastsMs === null)
  }

  #end(): void {
    const { trace, disk, timeline } = this.#world
    if (this.#isOver) return
    trace.note('END OF HANG')
    this.#isOver = true
    this.#endedAtMs = timeline.nowMs
    disk.hang.end()
  }

  /** Looks whether the others are through. */
  #watch(isForGood: boolean): void {
    const { account, timeline, lineTerms } = this.#world
    if (this.#isOver) return
    if (!this.#areOthersThrough) {
      timeline.at(LOOK_MS, () => this.#watch(isForGood))
      return
    }
    if (lineTerms.resetEveryMs === null) account.finished(this.#work.bytes, this.#untilMs + HANG_MS)
    if (isForGood) this.#end()
  }

  get #areOthersThrough(): boolean {
    const { running } = this.#world
    if (running?.isReady !== true) return false
    const others = running.engine.snapshot().rows.filter(({ localPath }) => !this.#paths.has(localPath))
    return others.every(({ status }) => status === 'completed' || status === 'failed')
  }
}
