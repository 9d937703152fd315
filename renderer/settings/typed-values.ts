// Writes numbers and times of the settings into their fields, and reads them from there.

import { t } from '../../shared/language/translate.ts'
import { MAX_AT_A_TIME, MAX_CHOSEN_PART_MIB, MIB, MIN_CHOSEN_PART_MIB } from '../../shared/limits.ts'
import { parseRate, rateProblem, rateText } from '../words/rate-text.ts'

/** The value of a field's text, or why the text can't be used. */
export type Read<Value> = { readonly value: Value } | { readonly problem: string }

/** How a field's values are written and read. Pure. */
export interface Writing<Value> {
  readonly toText: (value: Value) => string
  readonly read: (text: string) => Read<Value>
}

export const COUNT: Writing<number> = {
  toText: String,
  read: (text) => wholeNumber(text, 1, MAX_AT_A_TIME),
}

/** A count; empty text is null. */
export const COUNT_OR_AUTOMATIC = orEmpty(COUNT)

/** A rate in MB/s or MiB/s; empty text is null. */
export const RATE: Writing<number | null> = {
  toText: rateText,
  read: (text) => {
    const { isValid, bytesPerSecond } = parseRate(text)
    return isValid ? { value: bytesPerSecond } : { problem: rateProblem() }
  },
}

/** The same, but not null. */
export const SOME_RATE: Writing<number> = {
  toText: rateText,
  read: (text) => {
    const read = RATE.read(text)
    if ('problem' in read) return read
    return read.value === null ? { problem: rateProblem() } : { value: read.value }
  },
}

/** A size in MiB; empty text is null. */
export const PART_SIZE = orEmpty<number>({
  toText: (bytes) => String(bytes / MIB),
  read: (text) => {
    const read = wholeNumber(text, MIN_CHOSEN_PART_MIB, MAX_CHOSEN_PART_MIB)
    return 'problem' in read ? read : { value: read.value * MIB }
  },
})

/** Minutes after midnight, written as in time fields: "07:30". */
export const MINUTE_OF_DAY: Writing<number> = {
  toText: (minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
  read: (text) => {
    const [hours, minutes] = text.split(':').map(Number)
    return /^\d\d:\d\d$/.test(text) && hours !== undefined && minutes !== undefined
      ? { value: hours * 60 + minutes }
      : { problem: t('settings.time-problem') }
  },
}

function orEmpty<Value>({ toText, read }: Writing<Value>): Writing<Value | null> {
  return {
    toText: (value) => (value === null ? '' : toText(value)),
    read: (text) => (text.trim() === '' ? { value: null } : read(text)),
  }
}

function wholeNumber(text: string, least: number, most: number): Read<number> {
  const value = Number(text.trim())
  const fits = text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most
  return fits ? { value } : { problem: t('settings.number-problem', { least, most }) }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
