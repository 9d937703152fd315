import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import { COMMIT_INTERVAL_BYTES, COMMIT_INTERVAL_MS } from '../../shared/limits.ts'
import { missingRanges, totalLength } from './byte-ranges.ts'
import type { CheckpointStore, DownloadRecord, RangeRecord } from './checkpoint/checkpoint.ts'
import { crc32 } from './crc32.ts'
import { mergeClaims } from './download-claims.ts'
import type { PartialFile } from './download-partial.ts'
import type { RunContext } from './run.ts'

/** The file system lost what was written since the last good sync. It is to be fetched again. */
export class SyncFailed extends Error {
  constructor(cause: unknown) {
    super('The file system failed to keep what was written', { cause })
    this.name = 'SyncFailed'
  }
}

/**
 * Which bytes of a partial file are there for good. A claim follows the bytes: they are synced first, then recorded,
 * then reported as confirmed.
 */
export class ClaimLedger {
  readonly #context: RunContext<DownloadRecord>
  readonly #checkpoints: CheckpointStore
  readonly #file: PartialFile
  readonly #onConfirmed: (ranges: readonly ByteRange[]) => void
  #durable: readonly RangeRecord[]
  #written: RangeRecord[] = []
  #confirmedHere = 0
  #commits: Promise<void> = Promise.resolve()
  #lastCommitMs: number

  constructor(
    context: RunContext<DownloadRecord>,
    file: PartialFile,
    durable: readonly RangeRecord[],
    onConfirmed: (ranges: readonly ByteRange[]) => void,
  ) {
    this.#context = context
    this.#checkpoints = context.deps.checkpoints
    this.#file = file
    this.#durable = durable
    this.#onConfirmed = onConfirmed
    this.#lastCommitMs = context.deps.clock.monotonicMs()
  }

  /** What of `whole` is not claimed. */
  missing(whole: ByteRange): readonly ByteRange[] {
    return missingRanges(this.#durable, whole)
  }

  /** Notes bytes that were written but are not synced yet. */
  wrote(start: number, blocks: readonly Uint8Array[]): void {
    const index = this.#written.findIndex((range) => range.end === start)
    const before = this.#written[index] ?? { start, end: start, crc32: 0 }
    let { end, crc32: sum } = before
    for (const block of blocks) {
      sum = crc32(block, sum)
      end += block.length
    }
    const grown = { start: before.start, end, crc32: sum }
    if (index === -1) this.#written.push(grown)
    else this.#written[index] = grown
  }

  /** Commits when 2 s or 64 MiB have passed since the last commit. */
  async commitWhenDue(): Promise<void> {
    const ageMs = this.#context.deps.clock.monotonicMs() - this.#lastCommitMs
    if (ageMs >= COMMIT_INTERVAL_MS || totalLength(this.#written) >= COMMIT_INTERVAL_BYTES) await this.commit()
  }

  /** Syncs and claims what is written. One commit at a time. Throws SyncFailed. */
  commit(): Promise<void> {
    const commit = this.#commits.then(() => this.#commit())
    this.#commits = commit.catch(() => undefined)
    return commit
  }

  async #commit(): Promise<void> {
    const added = this.#written
    if (added.length === 0) return
    this.#written = []
    this.#lastCommitMs = this.#context.deps.clock.monotonicMs()
    try {
      await this.#file.sync()
    } catch (failure) {
      // The kernel marks the pages clean after a failed sync, so that a second try would prove nothing.
      this.#context.report.moved(-totalLength(added))
      this.dropUnclaimed()
      throw new SyncFailed(failure)
    }
    const { id } = this.#context.record
    const { claims, changed, absorbed } = mergeClaims(this.#durable, added)
    await this.#checkpoints.putRanges(id, changed)
    if (absorbed.length > 0) await this.#checkpoints.removeRanges(id, absorbed)
    this.#durable = claims
    this.#confirmedHere += totalLength(added)
    this.#context.report.confirmed(totalLength(added), 'moved')
    this.#onConfirmed(added)
  }

  /** Forgets what is written but not claimed. */
  dropUnclaimed(): void {
    this.#context.report.moved(-totalLength(this.#written))
    this.#written = []
  }

  /** Takes back all that was reported, before another version is downloaded. The checkpoint is the caller's. */
  withdraw(): void {
    this.dropUnclaimed()
    const found = totalLength(this.#durable) - this.#confirmedHere
    this.#context.report.confirmed(-this.#confirmedHere, 'moved')
    this.#context.report.moved(-this.#confirmedHere)
    this.#context.report.confirmed(-found, 'found')
    this.#durable = []
    this.#confirmedHere = 0
  }

  /** Whether all of `range` is claimed. */
  holds(range: ByteRange): boolean {
    return rangeLength(range) === 0 || this.missing(range).length === 0
  }
}
