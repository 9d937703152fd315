/** A full Ethernet frame of TCP with timestamps: its payload, and the bytes of it that a shaper counts. */
const PAYLOAD_BYTES = 1448
const FRAME_BYTES = 1514
/** The headers of one frame: an interface's byte counter minus this for each packet is TCP's payload. */
export const HEADER_BYTES = FRAME_BYTES - PAYLOAD_BYTES

/**
 * The payload per second of a line of `lineBytesPerSecond`. The kernel's shaper counts whole frames, in which 66 of
 * 1,514 bytes are headers; the proxy with deep buffers counts only payload.
 * @param {'kernel' | 'buffers'} kind
 * @param {number} lineBytesPerSecond
 * @returns {number}
 */
export function payloadRate(kind, lineBytesPerSecond) {
  return kind === 'kernel' ? (lineBytesPerSecond * PAYLOAD_BYTES) / FRAME_BYTES : lineBytesPerSecond
}

/**
 * The seconds that a line which is busy from the first moment takes for `bytes` of payload, including one round trip
 * for the first answer. Each period ends with an outage.
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

/** Whether the line is out at a given time after the start. */
export function isOut(outage, seconds) {
  if (outage === undefined) return false
  return seconds % outage.everySeconds >= outage.everySeconds - outage.lastsSeconds
}

/**
 * The seconds in which the line was up, in the first `seconds` after the start.
 * @returns {number}
 */
export function secondsWithLine(outage, seconds) {
  if (outage === undefined) return seconds
  const openSeconds = outage.everySeconds - outage.lastsSeconds
  const periods = Math.floor(seconds / outage.everySeconds)
  return periods * openSeconds + Math.min(openSeconds, seconds - periods * outage.everySeconds)
}
