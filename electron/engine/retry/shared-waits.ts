import type { RetryPolicy } from '../core/retry-policy.ts'

/** Many requests that fail together wait together, and count as one try. */
export function shareWaits(retryPolicy: RetryPolicy): RetryPolicy {
  let waiting: Promise<void> | null = null
  return {
    progressed: (bytes) => retryPolicy.progressed(bytes),
    moved: () => retryPolicy.moved(),
    waitAfter(failure) {
      waiting ??= retryPolicy.waitAfter(failure).finally(() => (waiting = null))
      return waiting
    },
  }
}
