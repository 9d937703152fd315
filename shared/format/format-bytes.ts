import type { Units } from '../settings.ts'

/** The same in every language. */
export const UNIT_NAMES = {
  decimal: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'],
  binary: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
} as const satisfies Record<Units, readonly string[]>

/** Converts bytes to the unit that leaves at most three digits before the point; below the first step, whole bytes. */
export function scaled(bytes: number, units: Units): { readonly value: number; readonly unit: string } {
  const [names, step] = [UNIT_NAMES[units], units === 'binary' ? 1024 : 1000]
  let value = Math.max(0, Math.round(bytes))
  if (value < step) return { value, unit: names[0] }
  let unit = 0
  // 999.5 rounds to 1000 at three digits, which belongs to the next unit.
  while (value >= 999.5 && unit < names.length - 1) {
    value /= step
    unit += 1
  }
  return { value, unit: names[unit] ?? '' }
}

/** Bytes with at most three significant digits, in English, for the command line and logs: "7.9 GB", "410 B". */
export function formatBytes(bytes: number): string {
  const { value, unit } = scaled(bytes, 'decimal')
  return `${Number(value.toPrecision(3))} ${unit}`
}
