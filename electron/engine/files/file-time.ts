/** FAT times begin in 1980, local time; 32-bit seconds, as on ext3 and XFS, end in 2038. */
const FIRST_MS = Date.UTC(1980, 0, 2)
const LAST_MS = Date.UTC(2038, 0, 18)

/** FAT rounds times down to even seconds. */
export const COARSEST_TIME_MS = 2000

/**
 * The time that a file gets for an HTTP date, milliseconds since the epoch. Every file system can keep it, so the file
 * can be recognized by it later. Null when `date` is not a date. Pure.
 */
export function fileTimeMs(date: string | null): number | null {
  const timeMs = date === null ? NaN : Date.parse(date)
  return Number.isNaN(timeMs) ? null : Math.min(Math.max(timeMs, FIRST_MS), LAST_MS)
}
