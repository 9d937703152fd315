import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { Patience } from '../core/retry-policy.ts'

/** What concerns everything in a folder: the first of many that meets it ends the run. */
export const COMMON_CAUSES: ReadonlySet<TransferErrorCode> = new Set<TransferErrorCode>([
  'certificate-untrusted',
  'clock-skew',
  'gave-up-waiting',
  'key-not-accepted',
  'keys-expired',
  'no-such-bucket',
  'place-removed',
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
])

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
