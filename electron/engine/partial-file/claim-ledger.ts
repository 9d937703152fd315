// What is durable in a partial file. Bytes are synced, then claimed, then reported, in this order.

import type { ByteRange } from '../../../shared/byte-range.ts'
import {
  COMMIT_INTERVAL_BYTES,
  COMMIT_INTERVAL_MS,
  NOTE_INTERVAL_BYTES,
  SEGMENT_SIZE_BYTES,
} from '../../../shared/limits.ts'
import { joined, missingRanges, splitAtUnits, totalLength } from '../core/byte-ranges.ts'
import type { DownloadRecord, RangeRecord } from '../core/records.ts'
import type { RunContext } from '../core/run.ts'
import { crc32 } from '../../checksums/crc32.ts'
import { ClaimSet, putChange } from './claims.ts'
import { PartialGone, type PartialFile } from './partial-file.ts'
import type { Sidecar } from './sidecar.ts'

/** The file system lost what was written since the last good sync, which must be fetched again. */
export class SyncFailed extends Error {
  constructor(cause: unknown) {
    super('The file system failed to save what was written', { cause })
    this.name = 'SyncFailed'
  }
}

/** The most notes of one file. Notes of a large file are further apart than NOTE_INTERVAL_BYTES. */
const MAX_NOTES = 65_536

/** The first commit comes after this, milliseconds: small objects are complete by then. */
const FIRST_COMMIT_MS = 250

/** Follows what is written. */
export interface LedgerFollower {
  /** Gets all ranges that are written, sorted and joined. */
  follow(present: readonly ByteRange[]): void
}

export interface LedgerOptions {
  /** What is already claimed. The ledger adds to it. */
  readonly durable: ClaimSet
  /** Null while unknown. */
  readonly sizeBytes: number | null
  /** Whether nothing is claimed before the caller's own commit: the bytes would be useless to another run. */
  readonly isHeldBack: boolean
  /** The sidecar that notes what is written before it is synced. */
  readonly sidecar?: Sidecar | null
  readonly follower?: LedgerFollower | null
}

/** Index of the segment, and so of the unit on the parts map, that has the byte at `offset`. */
export function unitAt(offset: number): number {
  return Math.floor(offset / SEGMENT_SIZE_BYTES)
}

/**
 * Keeps track of which bytes of a partial file are there for good. A claim follows the bytes: they are synced first,
 * then recorded, then reported as confirmed. Bytes that are only written are noted in the sidecar after a short time or
 * a few MiB. A killed process loses no more than that, and the next one trusts a note only once its CRC-32 fits and its
 * bytes are synced.
 */
export class ClaimLedger {
  readonly #context: RunContext<DownloadRecord>
  readonly #file: PartialFile
  readonly #options: LedgerOptions
  #durable: ClaimSet
  /** What is written and in the sidecar, but not being synced yet. */
  #noted = new ClaimSet()
  #syncing = new ClaimSet()
  /** What is written but not in the sidecar yet: a few ranges, each of which grows while its bytes arrive in order. */
  #unnoted: RangeRecord[] = []
  /** The bytes of `#noted` and `#unnoted` together, and of `#unnoted` alone. */
  #writtenBytes = 0
  #unnotedBytes = 0
  #confirmedHereBytes = 0
  #commits: Promise<void> = Promise.resolve()
  #isCommitting = false
  /** The failure of a commit that nothing waited for. */
  #failed: { readonly failure: unknown } | null = null
  readonly #noteIntervalBytes: number
  #lastCommitMs: number
  #failedSyncs = 0

  constructor(context: RunContext<DownloadRecord>, file: PartialFile, options: LedgerOptions) {
    this.#context = context
    this.#file = file
    this.#options = options
    this.#durable = options.durable
    this.#noteIntervalBytes = Math.max(NOTE_INTERVAL_BYTES, (options.sizeBytes ?? 0) / MAX_NOTES)
    this.#lastCommitMs = context.deps.clock.monotonicMs() - COMMIT_INTERVAL_MS + FIRST_COMMIT_MS
    options.follower?.follow([...this.#durable.joined])
  }

  /** Failed syncs since the last good one. */
  get failedSyncs(): number {
    return this.#failedSyncs
  }

  /** Sorted and disjoint. */
  get claims(): readonly RangeRecord[] {
    return this.#durable.all
  }

  /** What is not claimed yet; empty while the size is unknown. */
  missing(): readonly ByteRange[] {
    return missingRanges(this.#durable.joined, { start: 0, end: this.#options.sizeBytes ?? 0 })
  }

  /** Takes note of bytes that were written but are not synced yet. */
  wrote(start: number, blocks: readonly Uint8Array[]): void {
    // Bytes that continue a range continue its checksum, which is cheaper than combining two.
    const index = this.#unnoted.findIndex((range) => range.end === start)
    const before = this.#unnoted[index] ?? { start, crc32: 0 }
    let end = start
    let sum = before.crc32
    for (const block of blocks) {
      sum = crc32(block, sum)
      end += block.length
    }
    const range = { start: before.start, end, crc32: sum }
    if (index === -1) this.#unnoted.push(range)
    else this.#unnoted[index] = range
    this.#writtenBytes += end - start
    this.#unnotedBytes += end - start
    if (this.#unnotedBytes >= this.#noteIntervalBytes) this.note()
  }

  /** Whether a commit is due, by the time or the bytes since the last one. */
  get isDue(): boolean {
    if (this.#options.isHeldBack || this.#isCommitting) return false
    const ageMs = this.#context.deps.clock.monotonicMs() - this.#lastCommitMs
    return ageMs >= COMMIT_INTERVAL_MS || this.#writtenBytes >= COMMIT_INTERVAL_BYTES
  }

  /**
   * Commits in the background when that is due; waits for the commit only when the disk falls behind. Throws the
   * failure of an earlier one.
   */
  async commitWhenDue(): Promise<void> {
    this.#throwFailed()
    if (this.#options.isHeldBack) return
    if (this.#writtenBytes >= 2 * COMMIT_INTERVAL_BYTES) return await this.commit()
    if (this.#writtenBytes === 0 || !this.isDue) return
    this.commit().catch((failure: unknown) => {
      this.#failed ??= { failure }
    })
  }

  /** Syncs and claims what is written. One commit at a time. Throws SyncFailed, and PartialGone. */
  commit(): Promise<void> {
    const commit = this.#commits.then(() => this.#commit())
    this.#isCommitting = true
    this.#commits = commit
      .catch(() => undefined)
      .finally(() => {
        this.#isCommitting = false
      })
    return commit
  }

  async #commit(): Promise<void> {
    this.#throwFailed()
    if (this.#writtenBytes === 0) return
    this.note()
    const added = this.#noted
    this.#noted = new ClaimSet()
    this.#writtenBytes = 0
    this.#syncing = added
    this.#lastCommitMs = this.#context.deps.clock.monotonicMs()
    try {
      await this.#file.sync()
      this.#failedSyncs = 0
    } catch (failure) {
      // The kernel marks the pages clean after a failed sync, so a second try would prove nothing.
      this.dropUnclaimed()
      this.#failedSyncs += 1
      throw new SyncFailed(failure)
    }
    if (await this.#file.isGone()) throw new PartialGone(this.#file.path)
    // The bytes were dropped meanwhile: they are of another version, or can't be trusted.
    if (this.#syncing !== added) return
    const bytes = totalLength(added.joined)
    try {
      await this.#record(added)
    } catch (failure) {
      if (this.#syncing === added) {
        added.add(this.#noted.all)
        this.#noted = added
        this.#writtenBytes += bytes
      }
      this.#syncing = new ClaimSet()
      throw failure
    }
    if (this.#syncing !== added) return
    this.#syncing = new ClaimSet()
    this.#confirmedHereBytes += bytes
    this.#context.report.confirmed(bytes, 'moved')
    this.#reportUnits(added.joined, 'done')
  }

  async #record(added: ClaimSet): Promise<void> {
    const { record, deps } = this.#context
    const change = this.#durable.changeBy(added.all)
    await putChange(deps.checkpoints, record.id, change)
    if (this.#syncing === added) this.#durable.apply(change)
  }

  /** Tells the sidecar and the follower what was written since the last call, so a kill loses none of it. */
  note(): void {
    if (this.#unnotedBytes === 0) return
    const written = new ClaimSet()
    written.add(this.#unnoted)
    this.#options.sidecar?.wrote(written.all)
    this.#noted.add(written.all)
    this.#unnoted = []
    this.#unnotedBytes = 0
    const present = [this.#durable, this.#syncing, this.#noted].flatMap((each) => each.joined)
    this.#options.follower?.follow(joined(present))
  }

  #throwFailed(): void {
    const failed = this.#failed
    this.#failed = null
    if (failed !== null) throw failed.failure
  }

  /** Tells the parts map what an earlier run left. */
  reportFound(): void {
    this.#reportUnits(this.#durable.joined, 'found')
  }

  /** Tells the parts map which units are there now that `added` is claimed. */
  #reportUnits(added: readonly ByteRange[], how: 'done' | 'found'): void {
    const { sizeBytes } = this.#options
    if (sizeBytes === null) return
    for (const range of splitAtUnits(added, SEGMENT_SIZE_BYTES)) {
      const index = unitAt(range.start)
      const unit = { start: index * SEGMENT_SIZE_BYTES, end: Math.min(sizeBytes, (index + 1) * SEGMENT_SIZE_BYTES) }
      this.#context.report.unit(index, this.#durable.covers(unit) ? how : 'begun')
    }
  }

  /** Forgets what is written but not claimed. */
  dropUnclaimed(): void {
    const dropped = [...this.#syncing.all, ...this.#noted.all, ...this.#unnoted]
    this.#context.report.moved(-totalLength(dropped))
    this.#options.sidecar?.lost(dropped)
    this.#syncing = new ClaimSet()
    this.#noted = new ClaimSet()
    this.#unnoted = []
    this.#writtenBytes = 0
    this.#unnotedBytes = 0
  }

  /** Drops claims whose bytes turned out to be damaged. */
  async dropClaims(damaged: readonly RangeRecord[]): Promise<void> {
    const { record, deps, report } = this.#context
    const starts = new Set(damaged.map((claim) => claim.start))
    await deps.checkpoints.removeRanges(record.id, [...starts])
    this.#options.sidecar?.lost(damaged)
    this.#durable = new ClaimSet(this.#durable.all.filter((claim) => !starts.has(claim.start)))
    report.confirmed(-totalLength(damaged), 'found')
  }

  /** Takes back all that was reported, before another version is downloaded. The caller clears the checkpoint. */
  withdraw(): void {
    this.dropUnclaimed()
    const found = totalLength(this.#durable.joined) - this.#confirmedHereBytes
    this.#context.report.confirmed(-this.#confirmedHereBytes, 'moved')
    this.#context.report.moved(-this.#confirmedHereBytes)
    this.#context.report.confirmed(-found, 'found')
    this.#durable = new ClaimSet()
    this.#confirmedHereBytes = 0
  }

  /** Resolves once nothing runs in the background any more. */
  async close(): Promise<void> {
    await this.#commits
    await this.#options.sidecar?.close()
  }
}
