/** Of an Ethernet frame full of TCP with timestamps: its payload, and all that a shaper counts of it. */
const PAYLOAD_BYTES = 1448
const FRAME_BYTES = 1514
/** Headers of one frame; what a counter of an interface says less so much a packet is TCP's payload. */
export const HEADER_BYTES = FRAME_BYTES - PAYLOAD_BYTES

/**
 * Bytes of payload a second of a line of `lineBytesPerSecond`. The kernel's shaper counts whole frames, of which 66
 * bytes of 1,514 are headers; the proxy with deep buffers counts payload alone.
 * @param {'kernel' | 'buffers'} kind
 * @param {number} lineBytesPerSecond
 * @returns {number}
 */
export function payloadRate(kind, lineBytesPerSecond) {
  return kind === 'kernel' ? (lineBytesPerSecond * PAYLOAD_BYTES) / FRAME_BYTES : lineBytesPerSecond
}

/**
 * Seconds that a line busy from the first moment on takes for so many bytes of payload, one round trip for the first
 * answer included. An outage is at the end of each of its periods.
 * @param {number} bytes
 * @param {number} bytesPerSecond
 * @param {{ roundTripMs?: number, outage?: { everySeconds: number, lastsSeconds: number } }} profile
 */
export function idealSeconds(bytes, bytesPerSecond, { roundTripMs = 0, outage } = {}) {
  const busySeconds = bytes / bytesPerSecond
  if (outage === undefined) return busySeconds + roundTripMs / 1000
  const openSeconds = outage.everySeconds - outage.lastsSeconds
  const outages = Math.max(0, Math.ceil(busySeconds / openSeconds) - 1)
  return busySeconds + outages * outage.lastsSeconds + roundTripMs / 1000
}

/** Whether nothing passes at a moment after the start. */
export function isOut(outage, seconds) {
  if (outage === undefined) return false
  return seconds % outage.everySeconds >= outage.everySeconds - outage.lastsSeconds
}

/**
 * Of a stretch from the start: the seconds in which the line was there.
 * @returns {number}
 */
export function secondsWithLine(outage, seconds) {
  if (outage === undefined) return seconds
  const openSeconds = outage.everySeconds - outage.lastsSeconds
  const periods = Math.floor(seconds / outage.everySeconds)
  return periods * openSeconds + Math.min(openSeconds, seconds - periods * outage.everySeconds)
}
