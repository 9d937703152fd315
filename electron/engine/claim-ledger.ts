import type { ByteRange } from '../../shared/byte-range.ts'
import { COMMIT_INTERVAL_BYTES, COMMIT_INTERVAL_MS, SEGMENT_SIZE_BYTES } from '../../shared/limits.ts'
import { missingRanges, splitAtUnits, totalLength } from './byte-ranges.ts'
import type { DownloadRecord, RangeRecord } from './checkpoint/checkpoint.ts'
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

export interface LedgerOptions {
  /** What is claimed already, sorted and disjoint. */
  readonly durable: readonly RangeRecord[]
  /** Null while unknown. */
  readonly sizeBytes: number | null
  /** Claim nothing before the caller's own commit: the bytes would be of no use to another run. */
  readonly isHeldBack: boolean
}

/** Index of the segment, and so of the cell on the parts map, that has the byte at `offset`. */
export function unitAt(offset: number): number {
  return Math.floor(offset / SEGMENT_SIZE_BYTES)
}

/**
 * Which bytes of a partial file are there for good. A claim follows the bytes: they are synced first, then recorded,
 * then reported as confirmed.
 */
export class ClaimLedger {
  readonly #context: RunContext<DownloadRecord>
  readonly #file: PartialFile
  readonly #options: LedgerOptions
  #durable: readonly RangeRecord[]
  #written: RangeRecord[] = []
  #confirmedHere = 0
  #commits: Promise<void> = Promise.resolve()
  #lastCommitMs: number
  #failedSyncs = 0

  constructor(context: RunContext<DownloadRecord>, file: PartialFile, options: LedgerOptions) {
    this.#context = context
    this.#file = file
    this.#options = options
    this.#durable = options.durable
    this.#lastCommitMs = context.deps.clock.monotonicMs()
  }

  /** Failed syncs since the last good one. */
  get failedSyncs(): number {
    return this.#failedSyncs
  }

  /** What is not claimed yet; nothing while the size is unknown. */
  missing(): readonly ByteRange[] {
    return missingRanges(this.#durable, { start: 0, end: this.#options.sizeBytes ?? 0 })
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
    if (this.#options.isHeldBack) return
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
      this.#failedSyncs = 0
    } catch (failure) {
      // The kernel marks the pages clean after a failed sync, so that a second try would prove nothing.
      this.#context.report.moved(-totalLength(added))
      this.dropUnclaimed()
      this.#failedSyncs += 1
      throw new SyncFailed(failure)
    }
    try {
      await this.#record(added)
    } catch (failure) {
      this.#written = [...added, ...this.#written]
      throw failure
    }
    this.#confirmedHere += totalLength(added)
    this.#context.report.confirmed(totalLength(added), 'moved')
    this.reportUnits(added, 'done')
  }

  async #record(added: readonly RangeRecord[]): Promise<void> {
    const { record, deps } = this.#context
    const { claims, changed, absorbed } = mergeClaims(this.#durable, added)
    await deps.checkpoints.putRanges(record.id, changed)
    if (absorbed.length > 0) await deps.checkpoints.removeRanges(record.id, absorbed)
    this.#durable = claims
  }

  /** Tells the parts map which units are there now that `added` is claimed. */
  reportUnits(added: readonly ByteRange[], how: 'done' | 'found'): void {
    const { sizeBytes } = this.#options
    if (sizeBytes === null) return
    for (const range of splitAtUnits(added, SEGMENT_SIZE_BYTES)) {
      const index = unitAt(range.start)
      const unit = { start: index * SEGMENT_SIZE_BYTES, end: Math.min(sizeBytes, (index + 1) * SEGMENT_SIZE_BYTES) }
      if (missingRanges(this.#durable, unit).length === 0) this.#context.report.unit(index, how)
    }
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
}
