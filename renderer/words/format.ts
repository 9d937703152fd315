// Sizes, speeds, times and counts as people read them. Pure.

/** Numbers to text: decimal units, three significant digits, times in words a person would say. Pure. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const GROUPED = new Intl.NumberFormat('en')

interface Scaled {
  readonly digits: string
  readonly unit: string
}

function scale(bytes: number): Scaled {
  let value = Math.max(0, Math.round(bytes))
  if (value < 1000) return { digits: String(value), unit: value === 1 ? 'byte' : 'bytes' }
  let unit = 0
  // 999.5 rounds to 1000 at three digits, which belongs to the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return { digits: threeDigits(value), unit: UNITS[unit] ?? 'PB' }
}

function threeDigits(value: number): string {
  if (value < 9.995) return value.toFixed(2)
  if (value < 99.95) return value.toFixed(1)
  return value.toFixed(0)
}

/** 12_700_000_000 → "12.7 GB". */
export function formatBytes(bytes: number): string {
  const { digits, unit } = scale(bytes)
  return `${digits} ${unit}`
}

/** For tooltips: "12,700,000,000 bytes". */
export function formatExactBytes(bytes: number): string {
  return `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
}

/** "7.90 of 12.7 GB", "410 MB of 12.7 GB"; without a total "7.90 GB". */
export function formatProgress(confirmedBytes: number, sizeBytes: number | null): string {
  if (sizeBytes === null) return formatBytes(confirmedBytes)
  const done = scale(Math.min(confirmedBytes, sizeBytes))
  const all = scale(sizeBytes)
  const doneText = done.unit === all.unit || done.digits === '0' ? done.digits : `${done.digits} ${done.unit}`
  return `${doneText} of ${all.digits} ${all.unit}`
}

/** "48.2 MB/s"; "0" when nothing moves. */
export function formatRate(bytesPerSecond: number): string {
  if (bytesPerSecond < 1) return '0'
  const { digits, unit } = scale(bytesPerSecond)
  return `${digits} ${unit.startsWith('byte') ? 'B' : unit}/s`
}

/** Whole percent, rounded down so that 100 means all of it. */
export function percentOf(confirmedBytes: number, sizeBytes: number | null): number | null {
  if (sizeBytes === null) return null
  if (sizeBytes === 0) return 100
  return Math.min(100, Math.floor((confirmedBytes / sizeBytes) * 100))
}

/** "1,270". */
export function formatCount(count: number): string {
  return GROUPED.format(count)
}

/** "1 part", "1,270 parts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Time taken: "0.4 s", "12 s", "4 min 21 s", "1 h 5 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 950) return `${(Math.max(100, durationMs) / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  if (seconds < MINUTE) return `${String(seconds)} s`
  if (seconds < HOUR) return joined(Math.floor(seconds / MINUTE), 'min', seconds % MINUTE, 's')
  const minutes = Math.round(seconds / MINUTE)
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function joined(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${String(whole)} ${unit}` : `${String(whole)} ${unit} ${String(rest)} ${restUnit}`
}

/** How long ago: "just now", "12 min", "5 h", "3 days". */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, ageMs / 1000)
  if (seconds < MINUTE) return 'just now'
  if (seconds < HOUR) return `${String(Math.floor(seconds / MINUTE))} min`
  return seconds < 2 * DAY ? `${String(Math.floor(seconds / HOUR))} h` : plural(Math.floor(seconds / DAY), 'day')
}

/** Countdown to a moment: "0:12". Never negative. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${String(Math.floor(seconds / MINUTE))}:${String(seconds % MINUTE).padStart(2, '0')}`
}

/** Wall-clock time of a log line, to the second, in 24 hours. */
export function formatClock(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB')
}

/** Making one takes longer than a row does. */
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "12 Nov 2026, 21:04". */
export function formatMoment(atMs: number): string {
  return MOMENT.format(atMs)
}

const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** When something was added, short: "18:00" today, else "12 Nov 2026". */
export function formatAdded(atMs: number, nowMs = Date.now()): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString()
  return isToday ? TIME_OF_DAY.format(atMs) : DATE.format(atMs)
}

/** "18:00", "tomorrow 08:00", "12 Nov 2026, 21:04". */
export function formatTimeOfDay(atMs: number, nowMs: number): string {
  const tomorrow = new Date(nowMs)
  tomorrow.setDate(tomorrow.getDate() + 1)
  const day = new Date(atMs).toDateString()
  if (day === new Date(nowMs).toDateString()) return TIME_OF_DAY.format(atMs)
  return day === tomorrow.toDateString() ? `tomorrow ${TIME_OF_DAY.format(atMs)}` : formatMoment(atMs)
}
