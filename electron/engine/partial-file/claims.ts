// Claims as sorted, disjoint ranges: how they join, and what remains of a record that contradicts itself.

import { assert } from '../../../shared/assert.ts'
import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { firstEndingAfter, joined } from '../core/byte-ranges.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { RangeRecord } from '../core/records.ts'
import { crc32Combine } from '../../checksums/crc32.ts'

/**
 * The most that a claim grows to (bytes): damage costs at most this much to fetch again, and the table has about
 * size / 64 MiB rows.
 */
export const MAX_CLAIM_BYTES = 64 * 1024 * 1024

/** What a commit changes in the checkpoint. */
export interface ClaimChange {
  /** New or grown claims, to be put into the checkpoint. */
  readonly changed: readonly RangeRecord[]
  /** Starts of claims that became part of the one before them, to be removed after the put. */
  readonly absorbed: readonly number[]
}

/**
 * The claims of a file. The largest object has some 80,000, so nothing that is done for each unit, note or commit looks
 * at more than a few of them.
 */
export class ClaimSet {
  readonly #claims: RangeRecord[]
  readonly #joined: ByteRange[]

  /** @param claims sorted and disjoint. */
  constructor(claims: readonly RangeRecord[] = []) {
    this.#claims = [...claims]
    this.#joined = joined(claims)
  }

  /** Sorted and disjoint. */
  get all(): readonly RangeRecord[] {
    return this.#claims
  }

  /** The claimed bytes as sorted ranges, adjacent ones joined: few, however many claims there are. */
  get joined(): readonly ByteRange[] {
    return this.#joined
  }

  /** Whether all bytes of `range` are claimed. */
  covers({ start, end }: ByteRange): boolean {
    const found = this.#joined[firstEndingAfter(this.#joined, start)]
    return found !== undefined && found.start <= start && found.end >= end
  }

  /** Whether any byte of `range` is claimed. */
  overlaps({ start, end }: ByteRange): boolean {
    return (this.#joined[firstEndingAfter(this.#joined, start)]?.start ?? Infinity) < end
  }

  /** Computes what changes when `added`, which overlaps no claim, is claimed as well. `apply` makes the change. */
  changeBy(added: readonly RangeRecord[]): ClaimChange {
    const sorted = [...added].sort((a, b) => a.start - b.start)
    const neighbors: RangeRecord[] = []
    let next = 0
    for (const { start, end } of sorted) {
      next = Math.max(next, firstEndingAfter(this.#claims, start - 1))
      for (let claim = this.#claims[next]; claim !== undefined && claim.start <= end; claim = this.#claims[next]) {
        neighbors.push(claim)
        next += 1
      }
    }
    return mergedAmong(neighbors, sorted)
  }

  /** Makes a change that `changeBy` computed. */
  apply({ changed }: ClaimChange): void {
    for (const claim of changed) {
      const { start, end } = claim
      const index = firstEndingAfter(this.#claims, start)
      this.#claims.splice(index, countStarting(this.#claims, index, end - 1), claim)
      const first = firstEndingAfter(this.#joined, start - 1)
      const replaced = this.#joined.splice(first, countStarting(this.#joined, first, end))
      this.#joined.splice(first, 0, ...joined([...replaced, claim]))
    }
  }

  /** Claims `added` at once, for when no checkpoint has to know of it first. */
  add(added: readonly RangeRecord[]): void {
    this.apply(this.changeBy(added))
  }
}

/** How many of the sorted `ranges` from `index` on start at `lastStart` or before. */
function countStarting(ranges: readonly ByteRange[], index: number, lastStart: number): number {
  let end = index
  while ((ranges[end]?.start ?? Infinity) <= lastStart) end += 1
  return end - index
}

/** Joins the sorted `added` with the claims beside them. */
function mergedAmong(neighbors: readonly RangeRecord[], added: readonly RangeRecord[]): ClaimChange {
  const before = new Map(neighbors.map((claim) => [claim.start, claim]))
  const merged: RangeRecord[] = []
  for (const range of [...neighbors, ...added].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    assert(last === undefined || last.end <= range.start, 'each byte is written and claimed only once')
    if (last?.end === range.start && rangeLength(last) + rangeLength(range) <= MAX_CLAIM_BYTES) {
      merged[merged.length - 1] = {
        start: last.start,
        end: range.end,
        crc32: crc32Combine(last.crc32, range.crc32, rangeLength(range)),
      }
    } else {
      merged.push(range)
    }
  }
  const after = new Set(merged.map((range) => range.start))
  return {
    changed: merged.filter((range) => before.get(range.start)?.end !== range.end),
    absorbed: [...before.keys()].filter((start) => !after.has(start)),
  }
}

/** Makes a change to the claims of download `id` durable. */
export async function putChange(
  checkpoints: Pick<CheckpointStore, 'putRanges' | 'removeRanges'>,
  id: string,
  { changed, absorbed }: ClaimChange,
): Promise<void> {
  await checkpoints.putRanges(id, changed)
  if (absorbed.length > 0) await checkpoints.removeRanges(id, absorbed)
}

/** Adds `added`, whose bytes are synced, to the claims of download `id` in the checkpoint and then to `claims`. */
export async function recordClaims(
  checkpoints: Pick<CheckpointStore, 'putRanges' | 'removeRanges'>,
  id: string,
  claims: ClaimSet,
  added: readonly RangeRecord[],
): Promise<void> {
  const change = claims.changeBy(added)
  await putChange(checkpoints, id, change)
  claims.apply(change)
}

/**
 * Sorts claims and sets aside those that lie inside another, which a stop between a commit's put and removal leaves.
 * @returns the claims to keep, and the starts of the others.
 */
export function disjointClaims(claims: readonly RangeRecord[]): {
  readonly claims: readonly RangeRecord[]
  readonly surplus: readonly number[]
} {
  const kept: RangeRecord[] = []
  const surplus: number[] = []
  for (const claim of [...claims].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (claim.start < (kept.at(-1)?.end ?? 0) || claim.end <= claim.start) surplus.push(claim.start)
    else kept.push(claim)
  }
  return { claims: kept, surplus }
}
