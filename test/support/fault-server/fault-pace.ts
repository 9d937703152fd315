import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault-rules.ts'

/** A timer that comes late is made up for by this much: a process that stood still sends no burst afterwards. */
const CATCH_UP_MS = 20

/** Keeps one body to a speed limit, or does nothing without one. */
export interface Pace {
  /** How much of a body may go out at a time at `offset`. */
  sliceBytes(offset: number): number
  /** Waits until `bytes` more may go out at `offset`. */
  wait(offset: number, bytes: number): Promise<void>
}

/** `onHit` is called once the limit holds something back; `gone` ends every wait. */
export function createPace(
  limit: Extract<Fault, { kind: 'limit' }> | undefined,
  onHit: () => void,
  gone: Promise<void>,
): Pace {
  const { bytesPerSecond = Infinity, fromByte = 0 } = limit ?? {}
  const slowSliceBytes = Math.max(1, Math.min(64 * 1024, Math.ceil(bytesPerSecond / 20)))
  let freeAtMs: number | null = null
  return {
    sliceBytes: (offset) => (offset < fromByte ? fromByte - offset : slowSliceBytes),
    async wait(offset, bytes) {
      if (limit === undefined || offset < fromByte) return
      if (freeAtMs === null) onHit()
      const nowMs = performance.now()
      freeAtMs = Math.max(freeAtMs ?? nowMs, nowMs - CATCH_UP_MS) + (bytes / bytesPerSecond) * 1000
      const aheadMs = freeAtMs - nowMs
      if (aheadMs > 1) await Promise.race([sleep(aheadMs), gone])
    },
  }
}
