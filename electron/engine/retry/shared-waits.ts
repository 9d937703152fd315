import type { Patience } from '../core/retry-policy.ts'

/** Many requests that fail together wait together, and count as one try. */
export function shareWaits(patience: Patience): Patience {
  let waiting: Promise<void> | null = null
  return {
    progressed: (bytes) => patience.progressed(bytes),
    waitAfter(failure) {
      waiting ??= patience.waitAfter(failure).finally(() => (waiting = null))
      return waiting
    },
  }
}
