const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`
const MONTH = `(?<month>${MONTHS.join('|')})`

/** The three forms that a recipient must accept (RFC 9110, 5.6.7): IMF-fixdate, RFC 850, asctime. */
const FORMS = [
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
]

/** Milliseconds since the epoch; null when the text is not an HTTP date. `nowMs` decides the century of short years. */
export function parseHttpDate(text: string, nowMs: number): number | null {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups
    if (groups === undefined) continue
    const field = (name: string): number => Number(groups[name])
    const month = MONTHS.indexOf(groups['month'] ?? '')
    const year = groups['year']?.length === 2 ? fullYear(field('year'), nowMs) : field('year')
    const timeMs = Date.UTC(year, month, field('day'), field('hour'), field('minute'), field('second'))
    // Date.UTC rolls "31 Feb" and "25:00:00" over instead of rejecting them.
    const isReal = new Date(timeMs).getUTCDate() === field('day') && field('minute') < 60 && field('second') <= 60
    return isReal && field('hour') < 24 ? timeMs : null
  }
  return null
}

/** Formats a time as an HTTP date, in whole seconds. */
export function formatHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString()
}

/** A two-digit year that seems more than 50 years ahead belongs to the past (RFC 9110, 5.6.7). */
function fullYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = Math.floor(thisYear / 100) * 100 + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}
