import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault-rules.ts'

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
  let startedAtMs: number | null = null
  return {
    sliceBytes: (offset) => (offset < fromByte ? fromByte - offset : slowSliceBytes),
    async wait(offset, bytes) {
      if (limit === undefined || offset < fromByte) return
      if (startedAtMs === null) onHit()
      startedAtMs ??= performance.now()
      const aheadMs = ((offset - fromByte + bytes) / bytesPerSecond) * 1000 - (performance.now() - startedAtMs)
      if (aheadMs > 1) await Promise.race([sleep(aheadMs), gone])
    },
  }
}
