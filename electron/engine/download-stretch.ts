import { WRITE_BLOCK_BYTES } from '../../shared/limits.ts'
import type { DownloadRun } from './download-requests.ts'

/** Bytes that arrive one after the other, gathered into blocks of 1 MiB before they are written at their place. */
export class Stretch {
  readonly #run: DownloadRun
  #position: number
  #blocks: Uint8Array[] = []
  #gatheredBytes = 0

  constructor(run: DownloadRun, start: number) {
    this.#run = run
    this.#position = start
  }

  /** Offset of the next byte in the object. */
  get position(): number {
    return this.#position
  }

  /** Takes bytes that came over the wire, and waits while the disk or the bandwidth limit is behind. */
  async append(bytes: Uint8Array): Promise<void> {
    const { report, limiter, signal } = this.#run.context
    // A block is only valid until the next one is asked for.
    this.#blocks.push(Buffer.from(bytes))
    this.#gatheredBytes += bytes.length
    this.#position += bytes.length
    report.moved(bytes.length)
    await limiter.take(bytes.length, signal)
    if (this.#gatheredBytes >= WRITE_BLOCK_BYTES) await this.flush()
  }

  /** Writes what is gathered, and commits when that is due. */
  async flush(): Promise<void> {
    await this.#write()
    await this.#run.claims.commitWhenDue()
  }

  /** After a failure: writes what arrived, or, when that fails too, steps back to what is written. */
  async settle(): Promise<void> {
    try {
      await this.#write()
    } catch {
      this.#run.context.report.moved(-this.#gatheredBytes)
      this.#position -= this.#gatheredBytes
      this.#blocks = []
      this.#gatheredBytes = 0
    }
  }

  async #write(): Promise<void> {
    if (this.#gatheredBytes === 0) return
    const start = this.#position - this.#gatheredBytes
    await this.#run.file.write(this.#blocks, start)
    this.#run.claims.wrote(start, this.#blocks)
    this.#blocks = []
    this.#gatheredBytes = 0
  }
}
