// Time left, as people say it. Pure.

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Time left, short: "a few seconds", "40 s", "3 min", "1 h 20 min", "over a day". */
export function formatEta(etaSeconds: number | null): string {
  return eta(etaSeconds, { second: 's', minute: 'min', hour: 'h' })
}

/** The same spoken: "3 minutes", for screen readers. */
export function speakEta(etaSeconds: number | null): string {
  return eta(etaSeconds, { second: 'seconds', minute: 'minutes', hour: 'hours' })
}

/** Of many transfers together: "about 26 min", "40 s". */
export function aboutEta(etaSeconds: number): string {
  return etaSeconds < MINUTE || etaSeconds > DAY ? formatEta(etaSeconds) : `about ${formatEta(etaSeconds)}`
}

function eta(seconds: number | null, words: { second: string; minute: string; hour: string }): string {
  if (seconds === null) return 'Estimating…'
  if (seconds > DAY) return 'over a day'
  if (seconds < 5) return 'a few seconds'
  const inFives = Math.ceil(seconds / 5) * 5
  if (inFives < MINUTE) return `${String(inFives)} ${words.second}`
  const minutes = Math.max(1, Math.round(seconds / MINUTE))
  if (minutes < 60) return spoken(minutes, words.minute)
  const rest = minutes % 60
  const hours = spoken(Math.floor(minutes / 60), words.hour)
  return rest === 0 ? hours : `${hours} ${spoken(rest, words.minute)}`
}

function spoken(count: number, unit: string): string {
  return `${String(count)} ${count === 1 ? unit.replace(/(minute|hour|second)s$/, '$1') : unit}`
}
