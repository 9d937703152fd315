// Sizes, speeds, times and counts as people read them: decimal units, three significant digits, times as they are said.

import {
  localClock,
  localDay,
  localDecimal,
  localMoment,
  localNumber,
  localTime,
} from '../../shared/language/locale.ts'
import { isolated, t } from '../../shared/language/translate.ts'

/** The same in every language that there is. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

interface Scaled {
  readonly digits: string
  readonly unit: (typeof UNITS)[number]
}

function scale(bytes: number): Scaled {
  let value = Math.max(0, Math.round(bytes))
  if (value < 1000) return { digits: String(value), unit: 'B' }
  let unit = 0
  // 999.5 rounds to 1000 at three digits, which belongs to the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return { digits: threeDigits(value), unit: UNITS[unit] ?? 'PB' }
}

function threeDigits(value: number): string {
  if (value < 9.995) return localDecimal(value, 2)
  if (value < 99.95) return localDecimal(value, 1)
  return localDecimal(value, 0)
}

/** 12_700_000_000 → "12.7 GB". */
export function formatBytes(bytes: number): string {
  return sized(scale(bytes))
}

function sized({ digits, unit }: Scaled): string {
  return unit === 'B' ? t('format.bytes', { count: Number(digits) }) : isolated(`${digits} ${unit}`)
}

/** For tooltips: "12,700,000,000 bytes". */
export function formatExactBytes(bytes: number): string {
  return t('format.bytes', { count: bytes })
}

/** "7.90 of 12.7 GB", "410 MB of 12.7 GB"; without a total "7.90 GB". */
export function formatProgress(confirmedBytes: number, sizeBytes: number | null): string {
  if (sizeBytes === null) return formatBytes(confirmedBytes)
  const done = scale(Math.min(confirmedBytes, sizeBytes))
  const all = scale(sizeBytes)
  const doneText = done.unit === all.unit || done.digits === '0' ? done.digits : sized(done)
  return t('format.progress', { done: doneText, all: sized(all) })
}

/** "48.2 MB/s"; "0" when nothing moves. */
export function formatRate(bytesPerSecond: number): string {
  if (bytesPerSecond < 1) return '0'
  const { digits, unit } = scale(bytesPerSecond)
  return isolated(`${digits} ${unit}/s`)
}

/** Whole percent, rounded down so that 100 means all of it. */
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

/** Time taken: "0.4 s", "12 s", "4 min 21 s", "1 h 5 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 950) return t('format.seconds', { count: localDecimal(Math.max(100, durationMs) / 1000, 1) })
  const seconds = Math.round(durationMs / 1000)
  if (seconds < MINUTE) return t('format.seconds', { count: seconds })
  if (seconds < HOUR) {
    const [minutes, rest] = [Math.floor(seconds / MINUTE), seconds % MINUTE]
    return rest === 0
      ? t('format.minutes', { count: minutes })
      : t('format.minutes-seconds', { minutes, seconds: rest })
  }
  const minutes = Math.round(seconds / MINUTE)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return rest === 0 ? t('format.hours', { count: hours }) : t('format.hours-minutes', { hours, minutes: rest })
}

/** How long ago: "just now", "12 min", "5 h", "3 days". */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs / 1000)
  if (seconds < MINUTE) return t('format.just-now')
  if (seconds < HOUR) return t('format.minutes', { count: Math.floor(seconds / MINUTE) })
  return seconds < 2 * DAY
    ? t('format.hours', { count: Math.floor(seconds / HOUR) })
    : t('format.days', { count: Math.floor(seconds / DAY) })
}

/** Countdown to a moment: "0:12". Never negative. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${String(Math.floor(seconds / MINUTE))}:${String(seconds % MINUTE).padStart(2, '0')}`
}

/** Wall-clock time of a log line, to the second, in 24 hours. */
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
