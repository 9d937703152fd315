// Formats sizes, speeds and durations for people, in the window and outside it: with three significant digits, in the
// units that the settings name.

import { scaled, UNIT_NAMES } from './format-bytes.ts'
import { localDecimal } from '../language/locale.ts'
import { isolated, t } from '../language/translate.ts'
import type { Units } from '../settings.ts'

let units: Units = 'decimal'

/** Sets the units of sizes and speeds from now on. */
export function setUnits(chosen: Units): void {
  units = chosen
}

/** The unit in which limits are typed and offered: megabytes or mebibytes a second. */
export function rateUnit(): { readonly name: string; readonly bytes: number } {
  return { name: `${UNIT_NAMES[units][2]}/s`, bytes: units === 'binary' ? 1024 ** 2 : 1000 ** 2 }
}

interface Scaled {
  readonly digits: string
  readonly unit: string
}

function scale(bytes: number): Scaled {
  const { value, unit } = scaled(bytes, units)
  return { digits: unit === 'B' ? String(value) : threeDigits(value), unit }
}

function threeDigits(value: number): string {
  return localDecimal(value, digitsAfterPoint(value))
}

function digitsAfterPoint(value: number): 0 | 1 | 2 {
  if (value < 9.995) return 2
  return value < 99.95 ? 1 : 0
}

/** 12_700_000_000 → "12.7 GB". */
export function formatBytes(bytes: number): string {
  return sized(scale(bytes))
}

/** The same rounded up: an amount that suffices. */
export function formatBytesUp(bytes: number): string {
  const { value } = scaled(Math.ceil(bytes), units)
  if (value === 0) return formatBytes(0)
  const parts = 10 ** digitsAfterPoint(value)
  return formatBytes((Math.ceil(value * parts) / parts) * (Math.ceil(bytes) / value))
}

function sized({ digits, unit }: Scaled): string {
  return unit === 'B' ? t('format.bytes', { count: Number(digits) }) : isolated(`${digits} ${unit}`)
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

/** A limit, as briefly as a person would write it: "200 kB/s", "2.5 MB/s". At most four digits. */
export function formatLimit(bytesPerSecond: number): string {
  const { value, unit } = scaled(bytesPerSecond, units)
  return isolated(`${String(Number(value.toPrecision(4)))} ${unit}/s`)
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long something took: "0.4 s", "12 s", "4 min 21 s", "1 h 5 min". */
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
