import { allocateBlocks } from '../../checksums/block-memory.ts'
import { BlockPool } from '../../checksums/block-pool.ts'
import { WRITE_BLOCK_BYTES, WRITE_BLOCK_MS } from '../../../shared/limits.ts'
import { writeBudget } from '../async/memory-budget.ts'
import { blockBytesUnder } from '../core/rate-limiter.ts'
import type { DownloadRun, Gatherer } from './download-run.ts'

/** A block of at least this many bytes is written directly; smaller ones are gathered first. */
const DIRECT_WRITE_BYTES = 256 * 1024

/**
 * Writes bytes that arrive in sequence to their place in the file: large blocks at once, small ones gathered into 1 MiB
 * or half a second's worth. The owner of a block may reuse it as soon as `append` has resolved.
 */
export class RangeWriter implements Gatherer {
  readonly #run: DownloadRun
  #position: number
  #buffer: Uint8Array | null = null
  #gatheredBytes = 0
  /** When the first of the gathered bytes arrived, monotonic milliseconds. */
  #gatheredSinceMs = 0
  /** Writes run one after the other, because a timer starts them as well as arriving bytes. */
  #order: Promise<unknown> = Promise.resolve()

  constructor(run: DownloadRun, start: number) {
    this.#run = run
    this.#position = start
  }

  /** Offset of the next byte in the object. */
  get position(): number {
    return this.#position
  }

  /** Offset up to which everything is written. */
  get written(): number {
    return this.#position - this.#gatheredBytes
  }

  get gatheredBytes(): number {
    return this.#gatheredBytes
  }

  /** Takes bytes that came over the wire, and waits while the disk or the bandwidth limit holds them up. */
  async append(bytes: Uint8Array): Promise<void> {
    const stepBytes = blockBytesUnder(this.#run.context.limiter.limitBytesPerSecond)
    for (let start = 0; start < bytes.length; start += stepBytes) {
      await this.#append(bytes.subarray(start, start + stepBytes))
    }
  }

  /** Writes the gathered bytes, and commits when a commit is due. */
  async flush(): Promise<void> {
    await this.#inOrder(() => this.#writeGathered())
    await this.#run.claims.commitWhenDue()
  }

  /** Writes what was gathered at least `ageMs` ago. Never throws: the next write meets the same failure. */
  async writeGatheredSince(ageMs: number): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#gatheredBytes === 0 || this.#nowMs() - this.#gatheredSinceMs < ageMs) return
      await this.#writeGathered().catch(() => {
        this.#gatheredSinceMs = this.#nowMs()
      })
    })
  }

  /** Writes what arrived or, if that fails, steps back to what is written. For use after a failure. */
  async settle(): Promise<void> {
    await this.#inOrder(async () => {
      try {
        await this.#writeGathered()
      } catch {
        this.#run.context.report.moved(-this.#gatheredBytes)
        this.#position -= this.#gatheredBytes
        this.#release()
      }
    })
  }

  /** Bytes count as moved when the limit lets them pass, not when the connection has read them ahead. */
  async #append(bytes: Uint8Array): Promise<void> {
    const { report, limiter, signal } = this.#run.context
    const turn = limiter.take(bytes.length, signal)
    if (turn !== null) await turn
    report.moved(bytes.length)
    const isLarge = bytes.length >= DIRECT_WRITE_BYTES
    const isWritten = await this.#inOrder(() => (isLarge ? this.#writeDirectly(bytes) : this.#gather(bytes)))
    if (isWritten) await this.#run.claims.commitWhenDue()
  }

  #inOrder<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = this.#order.then(step)
    this.#order = done.catch(() => undefined)
    return done
  }

  async #writeDirectly(bytes: Uint8Array): Promise<true> {
    try {
      await this.#writeGathered()
      await this.#write(bytes, this.#position)
      this.#position += bytes.length
      return true
    } catch (failure) {
      this.#run.context.report.moved(-bytes.length)
      throw failure
    }
  }

  /** @returns whether anything was written. */
  async #gather(bytes: Uint8Array): Promise<boolean> {
    let isWritten = false
    let taken = 0
    try {
      while (taken < bytes.length) {
        const buffer = this.#buffer ?? (await this.#reserve())
        const some = bytes.subarray(taken, taken + buffer.length - this.#gatheredBytes)
        if (this.#gatheredBytes === 0) this.#gatheredSinceMs = this.#nowMs()
        buffer.set(some, this.#gatheredBytes)
        this.#gatheredBytes += some.length
        this.#position += some.length
        taken += some.length
        const isDue = this.#nowMs() - this.#gatheredSinceMs >= WRITE_BLOCK_MS
        if (this.#gatheredBytes < buffer.length && !isDue) continue
        await this.#writeGathered()
        isWritten = true
      }
      return isWritten
    } catch (failure) {
      this.#run.context.report.moved(taken - bytes.length)
      throw failure
    }
  }

  async #reserve(): Promise<Uint8Array> {
    await writeBudget.take(WRITE_BLOCK_BYTES, this.#run.context.signal)
    this.#run.gathering.add(this)
    return (this.#buffer = buffers.take())
  }

  async #writeGathered(): Promise<void> {
    if (this.#buffer === null) return
    await this.#writeNow(this.#buffer.subarray(0, this.#gatheredBytes), this.written)
    this.#release()
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    await writeBudget.take(bytes.length, this.#run.context.signal)
    try {
      await this.#writeNow(bytes, position)
    } finally {
      writeBudget.give(bytes.length)
    }
  }

  async #writeNow(bytes: Uint8Array, position: number): Promise<void> {
    if (bytes.length === 0) return
    await this.#run.file.write([bytes], position)
    this.#run.claims.wrote(position, [bytes])
  }

  #nowMs(): number {
    return this.#run.context.deps.clock.monotonicMs()
  }

  #release(): void {
    this.#gatheredBytes = 0
    if (this.#buffer === null) return
    this.#run.gathering.delete(this)
    buffers.give(this.#buffer)
    this.#buffer = null
    writeBudget.give(WRITE_BLOCK_BYTES)
  }
}

/** Buffers for all writers: allocating and clearing one for each write costs more than keeping them for a while. */
class GatherBuffers {
  readonly #pool = new BlockPool(() => allocateBlocks(TOGETHER, WRITE_BLOCK_BYTES))
  #usedCount = 0

  take(): Uint8Array {
    this.#usedCount += 1
    return this.#pool.take()
  }

  give(buffer: Uint8Array): void {
    this.#usedCount -= 1
    this.#pool.give(buffer)
    if (this.#usedCount === 0) this.#pool.trim(MAX_IDLE_BYTES)
  }
}

/** How much stays when nothing is gathered: eight buffers, and what folding them takes. */
const MAX_IDLE_BYTES = 9 * WRITE_BLOCK_BYTES
/** How many buffers are allocated together. */
const TOGETHER = 4
const buffers = new GatherBuffers()
