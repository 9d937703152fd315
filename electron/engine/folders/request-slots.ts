import { MIB } from '../../../shared/limits.ts'
import type { Clock } from '../core/deps.ts'
import { decreased, isEcho, mayGrow } from '../flow-control/aimd.ts'
import { admits, afterResponse, afterArrival, startByteWindow } from '../flow-control/byte-window.ts'

/** A connection slower than this may be taken for dead, bytes a second. */
const MIN_SLOT_RATE = MIB / 32

/** Limits how many requests for small objects run at a time, and with how many bytes. */
export interface RequestSlots {
  readonly most: number
  readonly limit: number
  /** Waits for a slot for an object of `bytes`; undefined if there is one at once. Rejects with `signal.reason`. */
  enter(bytes?: number): Promise<void> | undefined
  /** Frees a slot. `bytes` must be those given to `enter`. */
  leave(bytes?: number): void
  /** Notes how long after its request a response came. */
  answered(latencyMs: number): void
  /** Notes that bytes of objects arrived over the line. */
  arrived(bytes: number): void
  /** Notes a 429, 503 or SlowDown: three slots of ten are taken away. After ten seconds they come back one by one. */
  refused(): void
}

/** @param rateLimit tells the current limit in bytes a second; null when there is none. */
export function createRequestSlots(
  most: number,
  clock: Clock,
  signal: AbortSignal,
  rateLimit: () => number | null,
): RequestSlots {
  let allowed = most
  let running = 0
  let refusedAtMs = -Infinity
  let window = startByteWindow(clock.monotonicMs())
  let inFlightBytes = 0
  const waiting: {
    readonly bytes: number
    readonly resolve: () => void
    readonly reject: (reason: unknown) => void
  }[] = []
  signal.addEventListener('abort', () => {
    for (const { reject } of waiting.splice(0)) reject(signal.reason)
  })

  function limit(): number {
    const rate = rateLimit()
    return rate === null ? allowed : Math.max(1, Math.min(allowed, Math.floor(rate / MIN_SLOT_RATE)))
  }

  function begin(bytes: number): boolean {
    if (running >= limit() || !admits(window, inFlightBytes, bytes)) return false
    running += 1
    inFlightBytes += bytes
    return true
  }

  function wake(): void {
    for (let next = waiting[0]; next !== undefined && begin(next.bytes); next = waiting[0]) {
      waiting.shift()
      next.resolve()
    }
  }

  return {
    most,
    get limit() {
      return limit()
    },
    enter(bytes = 0) {
      if (waiting.length === 0 && begin(bytes)) return undefined
      return new Promise((resolve, reject) => waiting.push({ bytes, resolve, reject }))
    },
    leave(bytes = 0) {
      running -= 1
      inFlightBytes -= bytes
      if (allowed < most && mayGrow(clock.monotonicMs() - refusedAtMs)) allowed += 1
      wake()
    },
    answered(latencyMs) {
      window = afterResponse(window, latencyMs)
    },
    arrived(bytes) {
      const { allowedBytes } = window
      window = afterArrival(window, bytes, clock.monotonicMs(), waiting.length > 0)
      if (window.allowedBytes > allowedBytes) wake()
    },
    refused() {
      const nowMs = clock.monotonicMs()
      if (isEcho(nowMs - refusedAtMs)) return
      refusedAtMs = nowMs
      allowed = decreased(allowed, running)
    },
  }
}
