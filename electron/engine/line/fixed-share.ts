import type { ConnectionShare } from '../core/connections.ts'

/** A share with a fixed number of connections. */
export function fixedShare(limit: number): ConnectionShare {
  let latencyMs = Infinity
  return {
    limit,
    uses: () => undefined,
    arrived: () => undefined,
    began: () => undefined,
    answered: (thisMs) => void (latencyMs = Math.min(latencyMs, thisMs)),
    refused: () => undefined,
    failed: () => undefined,
    get latencyMs() {
      return latencyMs === Infinity ? 0 : latencyMs
    },
    bytesPerSecond: 0,
    leave: () => undefined,
  }
}
