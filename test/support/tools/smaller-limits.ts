import type * as Limits from '../../../shared/limits.ts'

/** What is so many bytes large because lines and disks are fast. */
const SIZES = [
  'MIB',
  'MIN_PART_SIZE_BYTES',
  'PART_STEP_BYTES',
  'USUAL_PART_BYTES',
  'SINGLE_PUT_MAX_BYTES',
  'PLANNED_PART_MIN_BYTES',
  'PLANNED_PART_MAX_BYTES',
  'SEGMENT_SIZE_BYTES',
  'COMMIT_INTERVAL_BYTES',
  'NOTE_INTERVAL_BYTES',
  'WRITE_BLOCK_BYTES',
] as const

/**
 * The same limits for objects that are `times` smaller, and so have as many parts, segments, blocks and notes. For
 * tests that run hundreds of transfers, in which the bytes themselves prove nothing.
 */
export function smallerLimits(limits: typeof Limits, times: number): typeof Limits {
  return { ...limits, ...Object.fromEntries(SIZES.map((name) => [name, limits[name] / times])) }
}
