import { MIB } from '../../shared/limits.ts'
import type { Clock } from './deps.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Takers wake at least this often, so that a new limit is in force that soon (milliseconds). */
const MAX_NAP_MS = 100
const MIN_BURST_BYTES = 32 * 1024
const MAX_BURST_BYTES = MIB
/** Share of the burst that one taker gets before it is the next one's turn. */
const MIN_QUANTUM_BYTES = 16 * 1024
const MAX_QUANTUM_BYTES = 64 * 1024

export interface TokenBucket extends RateLimiter {
  /** Null: no limit. In force within 250 ms, also for those who already wait. */
  setLimit(bytesPerSecond: number | null): void
}

interface Taker {
  leftBytes: number
  readonly resolve: () => void
}

/**
 * A token bucket shared fairly: takers are served in turns of at most a quantum, so that small requests are not held up
 * behind large ones. It starts empty and holds 100 ms worth of bytes, 32 KiB to 1 MiB, so that the rate is true from
 * the first second on.
 */
export function createTokenBucket(clock: Clock, limitBytesPerSecond: number | null): TokenBucket {
  const takers: Taker[] = []
  let limit = limitBytesPerSecond
  let tokens = 0
  let filledAtMs = clock.monotonicMs()
  let serving = false

  function refill(): void {
    const nowMs = clock.monotonicMs()
    if (limit !== null) tokens = Math.min(burstBytes(limit), tokens + ((nowMs - filledAtMs) * limit) / 1000)
    filledAtMs = nowMs
  }

  /** Hands out what there is; the one at the front takes its turn, then goes to the back. */
  function handOut(): void {
    for (let taker = takers[0]; taker !== undefined; taker = takers[0]) {
      const wanted = limit === null ? taker.leftBytes : Math.min(taker.leftBytes, quantumBytes(limit))
      if (limit !== null && tokens < wanted) return
      if (limit !== null) tokens -= wanted
      taker.leftBytes -= wanted
      takers.shift()
      if (taker.leftBytes > 0) takers.push(taker)
      else taker.resolve()
    }
  }

  /** Runs only while somebody waits. */
  async function serve(): Promise<void> {
    serving = true
    const never = new AbortController().signal
    while (takers.length > 0) {
      refill()
      handOut()
      const first = takers[0]
      if (first === undefined || limit === null) continue
      const missing = Math.min(first.leftBytes, quantumBytes(limit)) - tokens
      await clock.sleep(Math.min(MAX_NAP_MS, Math.max(1, Math.ceil((missing * 1000) / limit))), never)
    }
    serving = false
  }

  return {
    get limitBytesPerSecond() {
      return limit
    },
    setLimit(bytesPerSecond) {
      refill()
      limit = bytesPerSecond
      tokens = limit === null ? 0 : Math.min(tokens, burstBytes(limit))
    },
    take(bytes, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error)
      if (limit === null && takers.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const taker: Taker = { leftBytes: bytes, resolve: settle }
        function settle(): void {
          signal.removeEventListener('abort', abort)
          resolve()
        }
        function abort(): void {
          const index = takers.indexOf(taker)
          if (index >= 0) takers.splice(index, 1)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', abort, { once: true })
        takers.push(taker)
        if (!serving) void serve()
      })
    },
  }
}

function burstBytes(bytesPerSecond: number): number {
  return Math.min(MAX_BURST_BYTES, Math.max(MIN_BURST_BYTES, bytesPerSecond / 10))
}

function quantumBytes(bytesPerSecond: number): number {
  return bytesPerSecond < MIB ? MIN_QUANTUM_BYTES : MAX_QUANTUM_BYTES
}
