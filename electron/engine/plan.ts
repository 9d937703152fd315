import type { ByteRange } from '../../shared/byte-range.ts'
import {
  MAX_PART_COUNT,
  MIB,
  MIN_PART_SIZE_BYTES,
  PLANNED_PART_MAX_BYTES,
  PLANNED_PART_MIN_BYTES,
  SINGLE_PUT_MAX_BYTES,
} from '../../shared/limits.ts'

/** How a file is cut. Parts are equal but for the last; 0 parts: one PutObject of the whole file. */
export interface UploadPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

export interface PlanOptions {
  /** What a person asked for, in bytes; null: by size. */
  readonly partSizeBytes: number | null
  readonly minPartSizeBytes?: number
  readonly maxPartCount?: number
}

/** Up to this many parts, one page of ListParts shows them all. */
const COMFORTABLE_PART_COUNT = 1000

/**
 * Plans the parts of an upload of any size: each but the last above the service's least size, 10,000 at most.
 * A wished part size is kept as far as that allows.
 */
export function planUpload(sizeBytes: number, options: PlanOptions = { partSizeBytes: null }): UploadPlan {
  const { partSizeBytes: wish, minPartSizeBytes = MIN_PART_SIZE_BYTES, maxPartCount = MAX_PART_COUNT } = options
  const least = Math.max(Math.ceil(sizeBytes / maxPartCount), minPartSizeBytes + 1)
  const byWish = wish === null ? null : Math.max(Math.ceil(wish), least)
  if (sizeBytes <= SINGLE_PUT_MAX_BYTES && (byWish === null || sizeBytes <= byWish)) {
    return { partSizeBytes: sizeBytes, partCount: 0 }
  }
  const partSizeBytes = byWish ?? roundUpToMiB(Math.max(comfortablePartSize(sizeBytes), least))
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) }
}

/** Bytes of part `partNumber` (from 1) of a file of `sizeBytes`. */
export function partRange(plan: UploadPlan, sizeBytes: number, partNumber: number): ByteRange {
  const start = (partNumber - 1) * plan.partSizeBytes
  return { start, end: Math.min(start + plan.partSizeBytes, sizeBytes) }
}

/** Size in bytes of part `partNumber`, or null when the plan has no such part. */
export function plannedPartSize(plan: UploadPlan, sizeBytes: number, partNumber: number): number | null {
  if (partNumber < 1 || partNumber > plan.partCount) return null
  const { start, end } = partRange(plan, sizeBytes, partNumber)
  return end - start
}

function comfortablePartSize(sizeBytes: number): number {
  const size = Math.ceil(sizeBytes / COMFORTABLE_PART_COUNT)
  return Math.min(Math.max(size, PLANNED_PART_MIN_BYTES), PLANNED_PART_MAX_BYTES)
}

function roundUpToMiB(bytes: number): number {
  return Math.ceil(bytes / MIB) * MIB
}
