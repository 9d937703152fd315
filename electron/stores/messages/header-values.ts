import type { ByteRange } from '../../../shared/byte-range.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const IMF_DATE = /^[A-Za-z]{3}, (\d{2}) ([A-Za-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const RFC_850_DATE = /^[A-Za-z]{6,9}, (\d{2})-([A-Za-z]{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const ASCTIME_DATE = /^[A-Za-z]{3} ([A-Za-z]{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** Parses an HTTP date in any of its three forms (RFC 9110, 5.6.7) to milliseconds since the epoch; null otherwise. */
export function parseHttpDate(value: string | undefined): number | null {
  const text = value?.trim() ?? ''
  const imf = IMF_DATE.exec(text)
  if (imf !== null) return utcMs(imf[3], imf[2], imf[1], imf[4], imf[5], imf[6])
  const asctime = ASCTIME_DATE.exec(text)
  if (asctime !== null) return utcMs(asctime[6], asctime[1], asctime[2], asctime[3], asctime[4], asctime[5])
  const rfc850 = RFC_850_DATE.exec(text)
  if (rfc850 === null) return null
  // A two-digit year that seems more than 50 years ahead belongs to the past.
  const thisYear = new Date().getUTCFullYear()
  const year = Number(rfc850[3]) + thisYear - (thisYear % 100)
  return utcMs(year > thisYear + 50 ? year - 100 : year, rfc850[2], rfc850[1], rfc850[4], rfc850[5], rfc850[6])
}

function utcMs(
  year: string | number | undefined,
  monthName: string | undefined,
  ...[day, hours, minutes, seconds]: (string | undefined)[]
): number | null {
  const month = MONTHS.indexOf(monthName ?? '')
  if (month === -1) return null
  return Date.UTC(Number(year), month, Number(day), Number(hours), Number(minutes), Number(seconds))
}

/** Returns the milliseconds to wait (RFC 9110, 10.2.3); a date counts from the response's `Date`, else from `nowMs`. */
export function parseRetryAfter(
  value: string | undefined,
  responseDate: string | undefined,
  nowMs: number,
): number | null {
  if (value === undefined) return null
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000
  const untilMs = parseHttpDate(value)
  return untilMs === null ? null : Math.max(0, untilMs - (parseHttpDate(responseDate) ?? nowMs))
}

/** Parses `bytes <first>-<last>/<total or *>` to an end-exclusive range; null if malformed or self-contradictory. */
export function parseContentRange(
  value: string | undefined,
): (ByteRange & { readonly totalBytes: number | null }) | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(value?.trim() ?? '')
  if (match === null) return null
  const [start, last] = [Number(match[1]), Number(match[2])]
  const totalBytes = match[3] === '*' ? null : Number(match[3])
  if (last < start || ![last, totalBytes ?? 0].every(Number.isSafeInteger)) return null
  if (totalBytes !== null && last >= totalBytes) return null
  return { start, end: last + 1, totalBytes }
}

/** Formats a Range header, which includes both ends on the wire. */
export function formatRange(range: ByteRange): string {
  return `bytes=${range.start}-${range.end - 1}`
}

/** Parses the size of the whole object from `bytes * /<total>` of a 416; null when absent. */
export function parseUnsatisfiedRange(value: string | undefined): number | null {
  const match = /^bytes \*\/(\d+)$/i.exec(value?.trim() ?? '')
  return match === null ? null : Number(match[1])
}

/** Parses a Content-Length; null when absent or not a number. */
export function parseContentLength(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : null
}

/** Formats If-Match or If-None-Match; omits the condition for a weak ETag, which never matches (RFC 9110, 13.1.1). */
export function formatCondition(etag: string | undefined): string | undefined {
  return etag === undefined || etag.startsWith('W/') ? undefined : `"${etag}"`
}

/** Removes an ETag's quotes; a weak one keeps its `W/`. Returns null when it is absent or empty. */
export function unquoteEtag(value: string | undefined): string | null {
  const etag = value?.trim().replace(/^(W\/)?"(.*)"$/, '$1$2') ?? ''
  return etag === '' ? null : etag
}
