import { MIB } from '../../../shared/limits.ts'

/** How much may be under way at first (bytes): a fast line carries it at once, a slow one in some seconds. */
export const FIRST_WINDOW_BYTES = MIB
/** As much may be under way as arrives in this time (milliseconds): a kill loses no more. */
export const WINDOW_MS = 1200
/** Far away it must be more than what arrives while an answer is awaited, or the line would never be full. */
const WINDOW_ROUND_TRIPS = 2
/** This many bytes tell a pace, in no less time than the first and no more than the second (milliseconds). */
const TELLING_BYTES = MIB / 4
const SHORTEST_SAMPLE_MS = 10
const LONGEST_SAMPLE_MS = 1000
/** One sample changes the window by no more than these factors. */
const MOST_GROWTH = 2
const MOST_LOSS = 0.5

/** How many bytes of small files may be under way, judged by how fast they arrived. Immutable. */
export interface ByteWindow {
  readonly allowedBytes: number
  /** Beginning and bytes of the current sample. */
  readonly sinceMs: number
  readonly bytes: number
  /** Throughout the sample, more was waiting than was allowed. */
  readonly isFull: boolean
  /** The shortest time from the last byte of a request to the first of its answer; null if unknown. */
  readonly latencyMs: number | null
}

/** @param nowMs monotonic. */
export function startByteWindow(nowMs: number): ByteWindow {
  return { allowedBytes: FIRST_WINDOW_BYTES, sinceMs: nowMs, bytes: 0, isFull: true, latencyMs: null }
}

/** Whether a file of `bytes` may go while `inFlightBytes` are under way. A single one always may. Pure. */
export function admits({ allowedBytes }: ByteWindow, inFlightBytes: number, bytes: number): boolean {
  return inFlightBytes === 0 || inFlightBytes + bytes <= allowedBytes
}

/** The first byte of an answer came this long after the last of its request. Pure. */
export function afterResponse(window: ByteWindow, latencyMs: number): ByteWindow {
  return { ...window, latencyMs: Math.min(window.latencyMs ?? Infinity, latencyMs) }
}

/**
 * `bytes` have arrived on the other side, whichever that is; `isFull` tells whether something waits for the window.
 * More is allowed as soon as the pace shows that it fits; less only if the window was full, so that nothing but the
 * line held the pace down. Pure.
 */
export function afterArrival(window: ByteWindow, bytes: number, nowMs: number, isFull: boolean): ByteWindow {
  const next = { ...window, bytes: window.bytes + bytes, isFull: window.isFull && isFull }
  const elapsedMs = nowMs - window.sinceMs
  const isTold = elapsedMs >= LONGEST_SAMPLE_MS || (next.bytes >= TELLING_BYTES && elapsedMs >= SHORTEST_SAMPLE_MS)
  if (!isTold) return next
  const horizonMs = Math.max(WINDOW_MS, WINDOW_ROUND_TRIPS * (window.latencyMs ?? 0))
  const fitting = (next.bytes * horizonMs) / elapsedMs
  const least = next.isFull ? window.allowedBytes * MOST_LOSS : window.allowedBytes
  const allowedBytes = Math.max(least, Math.min(fitting, window.allowedBytes * MOST_GROWTH))
  return { ...next, allowedBytes, sinceMs: nowMs, bytes: 0, isFull: true }
}
