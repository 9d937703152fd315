import type { ByteRange } from '../../../shared/byte-range.ts'
import {
  MAX_PART_COUNT,
  MIN_PART_SIZE_BYTES,
  PART_STEP_BYTES,
  PLANNED_PART_MAX_BYTES,
  PLANNED_PART_MIN_BYTES,
  SINGLE_PUT_MAX_BYTES,
} from '../../../shared/limits.ts'
import { withShortLastPart } from '../integrity/short-last-part.ts'
import type { UploadPlan } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'

export interface PlanOptions {
  /** The part size that a person asked for, in bytes; null: chosen by the file's size and the line. */
  readonly partSizeBytes: number | null
  readonly minPartSizeBytes?: number
  readonly maxPartCount?: number
  readonly maxPartSizeBytes?: number
  /** What the line to the service is known to carry, bytes a second; null if unknown. */
  readonly uplinkBytesPerSecond?: number | null
}

/** The largest part if the service names no limit of its own: 10,000 of them hold 48 TiB. */
const MAX_PART_SIZE_BYTES = 5 * 1024 ** 3
/** Up to this many parts, one page of ListParts shows them all. */
const COMFORTABLE_PART_COUNT = 1000
/** A part should take no longer than this if possible: a part that breaks off is sent again (seconds). */
const COMFORTABLE_PART_SECONDS = 1

/**
 * Plans the parts of an upload of any size: all but the last are above the service's minimum size, and there are at
 * most 10,000. A requested part size is kept as far as that allows. Throws TransferError `invalid-argument` for a file
 * that no number of parts can hold.
 */
export function planUpload(sizeBytes: number, options: PlanOptions = { partSizeBytes: null }): UploadPlan {
  const { partSizeBytes: wish, minPartSizeBytes = MIN_PART_SIZE_BYTES, maxPartCount = MAX_PART_COUNT } = options
  const { maxPartSizeBytes = MAX_PART_SIZE_BYTES, uplinkBytesPerSecond = null } = options
  if (sizeBytes > maxPartCount * maxPartSizeBytes) {
    const most = `${String(maxPartCount)} parts of ${String(maxPartSizeBytes)} bytes`
    throw new TransferError('invalid-argument', `${String(sizeBytes)} bytes are more than ${most}`)
  }
  const least = Math.max(Math.ceil(sizeBytes / maxPartCount), minPartSizeBytes + 1)
  const byWish = wish === null ? null : Math.min(maxPartSizeBytes, Math.max(Math.ceil(wish), least))
  if (sizeBytes <= SINGLE_PUT_MAX_BYTES && (byWish === null || sizeBytes <= byWish)) {
    return { partSizeBytes: sizeBytes, partCount: 0 }
  }
  const bySize = steppedUp(Math.max(comfortablePartSize(sizeBytes, uplinkBytesPerSecond), least), maxPartSizeBytes)
  const byLine =
    uplinkBytesPerSecond === null ? Math.min(maxPartSizeBytes, withShortLastPart(sizeBytes, bySize)) : bySize
  const partSizeBytes = byWish ?? byLine
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) }
}

/** Bytes of part `partNumber` (from 1) of a file of `sizeBytes`. */
export function partRange(plan: UploadPlan, sizeBytes: number, partNumber: number): ByteRange {
  const start = (partNumber - 1) * plan.partSizeBytes
  return { start, end: Math.min(start + plan.partSizeBytes, sizeBytes) }
}

/** Size in bytes of part `partNumber`, or null if the plan has no such part. */
export function plannedPartSize(plan: UploadPlan, sizeBytes: number, partNumber: number): number | null {
  if (partNumber < 1 || partNumber > plan.partCount) return null
  const { start, end } = partRange(plan, sizeBytes, partNumber)
  return end - start
}

/** Zero while the line is unknown: it may be slow, and on a fast one small parts cost little. */
function comfortablePartSize(sizeBytes: number, uplinkBytesPerSecond: number | null): number {
  const size = clamp(Math.ceil(sizeBytes / COMFORTABLE_PART_COUNT), PLANNED_PART_MIN_BYTES, PLANNED_PART_MAX_BYTES)
  return Math.min(size, COMFORTABLE_PART_SECONDS * (uplinkBytesPerSecond ?? 0))
}

function steppedUp(bytes: number, most: number): number {
  return Math.min(most, Math.ceil(bytes / PART_STEP_BYTES) * PART_STEP_BYTES)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
