// Formats numbers and dates in the language of this process.

import { currentLanguage, followLanguage, isolated } from './translate.ts'

/** Makes a formatter when a language first needs it, and keeps it: making one takes longer than drawing a row. */
function perLanguage<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  followLanguage(() => (made = undefined))
  return () => (made ??= make())
}

const integers = perLanguage(() => new Intl.NumberFormat(currentLanguage().locale))
const enumerations = perLanguage(
  () => new Intl.ListFormat(currentLanguage().locale, { type: 'conjunction', style: 'narrow' }),
)
const days = perLanguage(() => dateFormat({ dateStyle: 'medium' }))
const moments = perLanguage(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }))
const timesOfDay = perLanguage(() => dateFormat({ timeStyle: 'short' }))
const clocks = perLanguage(() => dateFormat({ timeStyle: 'medium' }))
const weekdays = {
  short: perLanguage(() => dateFormat({ weekday: 'short' })),
  long: perLanguage(() => dateFormat({ weekday: 'long' })),
}
const digits = [0, 1, 2].map((places) =>
  perLanguage(
    () =>
      new Intl.NumberFormat(currentLanguage().locale, {
        useGrouping: false,
        minimumFractionDigits: places,
        maximumFractionDigits: places,
      }),
  ),
)

/** Uses the 24-hour clock in every language, so that columns of times keep their width. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(currentLanguage().dates, { ...options, hourCycle: 'h23' })
}

/** "1, 2, 3". */
export function localEnumeration(names: readonly string[]): string {
  return enumerations().format(names)
}

/** "1,270". */
export function localNumber(count: number): string {
  return integers().format(count)
}

/** A number with `places` digits (0 to 2) after the point, without grouping. */
export function localDecimal(value: number, places: 0 | 1 | 2): string {
  return digits[places]?.().format(value) ?? String(value)
}

/** "12 Nov 2026". */
export function localDay(atMs: number): string {
  return isolated(days().format(atMs))
}

/** "12 Nov 2026, 21:04". */
export function localMoment(atMs: number): string {
  return isolated(moments().format(atMs))
}

/** "Mon" or "Monday" for 1; Sunday is 0. */
export function localWeekday(day: number, width: 'short' | 'long'): string {
  // The first of January 2023 was a Sunday.
  return weekdays[width]().format(new Date(2023, 0, 1 + day))
}

/** "21:04". */
export function localTime(atMs: number): string {
  return timesOfDay().format(atMs)
}

/** "21:04:09". */
export function localClock(atMs: number): string {
  return clocks().format(atMs)
}
