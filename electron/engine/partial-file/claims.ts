// Claims as sorted, disjoint ranges: how they join, and what is left of a record that contradicts itself.

import { assert } from '../../../shared/assert.ts'
import { rangeLength } from '../../../shared/byte-range.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { RangeRecord } from '../core/records.ts'
import { crc32Combine } from '../../checksums/crc32.ts'

/**
 * A claim grows no longer than this (bytes): damage costs at most that much to fetch again, and the table stays at
 * size / 64 MiB rows or so.
 */
export const MAX_CLAIM_BYTES = 64 * 1024 * 1024

/** What a commit changes in the checkpoint, and the claims after it. */
export interface ClaimMerge {
  readonly claims: readonly RangeRecord[]
  /** New or grown claims, to be put. */
  readonly changed: readonly RangeRecord[]
  /** Starts of claims that became part of the one before them, to be removed after the put. */
  readonly absorbed: readonly number[]
}

/** Adds `added` to sorted, disjoint `claims` and joins neighbours. Nothing of `added` overlaps a claim. */
export function mergeClaims(claims: readonly RangeRecord[], added: readonly RangeRecord[]): ClaimMerge {
  const before = new Map(claims.map((claim) => [claim.start, claim]))
  const merged: RangeRecord[] = []
  for (const range of [...claims, ...added].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    assert(last === undefined || last.end <= range.start, 'bytes are written and claimed once')
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
    claims: merged,
    changed: merged.filter((range) => before.get(range.start)?.end !== range.end),
    absorbed: [...before.keys()].filter((start) => !after.has(start)),
  }
}

/** Adds `added`, whose bytes are synced, to the claims that the checkpoint of download `id` has. Returns all claims. */
export async function recordClaims(
  checkpoints: Pick<CheckpointStore, 'putRanges' | 'removeRanges'>,
  id: string,
  claims: readonly RangeRecord[],
  added: readonly RangeRecord[],
): Promise<readonly RangeRecord[]> {
  const merge = mergeClaims(claims, added)
  await checkpoints.putRanges(id, merge.changed)
  if (merge.absorbed.length > 0) await checkpoints.removeRanges(id, merge.absorbed)
  return merge.claims
}

/**
 * Sorted claims without those that lie inside another: a stop between a commit's put and its removal leaves such.
 * @returns the claims to keep and the starts of the others.
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
