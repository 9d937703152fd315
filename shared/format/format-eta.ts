// Formats the time left as people would say it.

import { t } from '../language/translate.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time left, short: "a few seconds", "40 s", "3 min", "1 h 20 min", "over a day". */
export function formatEta(etaSeconds: number | null): string {
  return eta(etaSeconds, {
    seconds: (count) => t('format.seconds', { count }),
    minutes: (count) => t('format.minutes', { count }),
    hours: (count) => t('format.hours', { count }),
    both: (hours, minutes) => t('format.hours-minutes', { hours, minutes }),
  })
}

/** The time left for screen readers: "3 minutes". */
export function speakEta(etaSeconds: number | null): string {
  return eta(etaSeconds, {
    seconds: (count) => t('format.spoken-seconds', { count }),
    minutes: (count) => t('format.spoken-minutes', { count }),
    hours: (count) => t('format.spoken-hours', { count }),
    both: (hours, minutes) => t('format.spoken-hours-minutes', { hours, minutes }),
  })
}

/** The time left of several transfers together: "about 26 min", "40 s". */
export function aboutEta(etaSeconds: number): string {
  const time = formatEta(etaSeconds)
  return etaSeconds < MINUTE || etaSeconds > DAY ? time : t('format.about', { time })
}

interface TimeWords {
  readonly seconds: (count: number) => string
  readonly minutes: (count: number) => string
  readonly hours: (count: number) => string
  readonly both: (hours: number, minutes: number) => string
}

function eta(seconds: number | null, words: TimeWords): string {
  if (seconds === null) return t('format.estimating')
  if (seconds > DAY) return t('format.over-a-day')
  if (seconds < 5) return t('format.few-seconds')
  const inFives = Math.ceil(seconds / 5) * 5
  if (inFives < MINUTE) return words.seconds(inFives)
  const minutes = Math.max(1, Math.round(seconds / MINUTE))
  if (minutes < 60) return words.minutes(minutes)
  const rest = minutes % 60
  const hours = Math.floor(minutes / 60)
  return rest === 0 ? words.hours(hours) : words.both(hours, rest)
}
