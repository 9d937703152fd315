/** FAT begins with 1980, by local time; 32 bits of seconds end in 2038, as on ext3 and XFS. */
const FIRST_MS = Date.UTC(1980, 0, 2)
const LAST_MS = Date.UTC(2038, 0, 18)

/** FAT rounds times down to even seconds. */
export const COARSEST_TIME_MS = 2000

/**
 * The time that a file gets for an HTTP date, milliseconds since the epoch: one that every file system keeps, so that
 * the file is known again by it. Null when it is no date. Pure.
 */
export function fileTimeMs(date: string | null): number | null {
  const timeMs = date === null ? NaN : Date.parse(date)
  return Number.isNaN(timeMs) ? null : Math.min(Math.max(timeMs, FIRST_MS), LAST_MS)
}
