// Formats times and counts for people. Sizes and speeds, which are also shown outside the window, come from `shared`.

import { localClock, localDay, localMoment, localNumber, localTime } from '../../shared/language/locale.ts'
import { t } from '../../shared/language/translate.ts'

export {
  formatBytes,
  formatBytesUp,
  formatDuration,
  formatLimit,
  formatProgress,
  formatRate,
} from '../../shared/format/format-amount.ts'

/** For tooltips: "12,700,000,000 bytes". */
export function formatExactBytes(bytes: number): string {
  return t('format.bytes', { count: bytes })
}

/** Whole percent, rounded down, so that 100 means all. */
export function percentOf(confirmedBytes: number, sizeBytes: number | null): number | null {
  if (sizeBytes === null) return null
  if (sizeBytes === 0) return 100
  return Math.min(100, Math.floor((confirmedBytes / sizeBytes) * 100))
}

/** "1,270". */
export function formatCount(count: number): string {
  return localNumber(count)
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago: "just now", "12 min", "5 h", "3 days". */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs / 1000)
  if (seconds < MINUTE) return t('format.just-now')
  if (seconds < HOUR) return t('format.minutes', { count: Math.floor(seconds / MINUTE) })
  return seconds < 2 * DAY
    ? t('format.hours', { count: Math.floor(seconds / HOUR) })
    : t('format.days', { count: Math.floor(seconds / DAY) })
}

/** A countdown: "0:12". Never negative. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${String(Math.floor(seconds / MINUTE))}:${String(seconds % MINUTE).padStart(2, '0')}`
}

/** The local time of a log entry, to the second, on the 24-hour clock. */
export function formatClock(atMs: number): string {
  return localClock(atMs)
}

/** "12 Nov 2026, 21:04". */
export function formatMoment(atMs: number): string {
  return localMoment(atMs)
}

/** When something was added, short: "18:00" today, else "12 Nov 2026". */
export function formatAdded(atMs: number, nowMs = Date.now()): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString()
  return isToday ? localTime(atMs) : localDay(atMs)
}

/** "18:00", "tomorrow 08:00", "12 Nov 2026, 21:04". */
export function formatTimeOfDay(atMs: number, nowMs: number): string {
  const tomorrow = new Date(nowMs)
  tomorrow.setDate(tomorrow.getDate() + 1)
  const day = new Date(atMs).toDateString()
  if (day === new Date(nowMs).toDateString()) return localTime(atMs)
  return day === tomorrow.toDateString() ? t('format.tomorrow-at', { time: localTime(atMs) }) : formatMoment(atMs)
}
