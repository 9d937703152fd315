import { StoreError } from '../../stores/port/store-error.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import { TransferError } from '../core/transfer-error.ts'
import { isCommonCause } from './classify.ts'

/** A look is given up after this many failures that are answers, or this many that are not. */
const MAX_RESPONSES = 3
const MAX_SILENCES = 8

/** The look was given up. */
class GivenUp extends Error {}

/**
 * Looks at something that a transfer can do without. Returns null if the service doesn't tell, or not within a few
 * tries of `retryPolicy`, which serves this look alone. Throws `signal.reason` when aborted, TransferErrors that every
 * other request would meet as well, and errors that are not failures of requests.
 */
export async function lookIfPossible<Value>(
  retryPolicy: RetryPolicy,
  look: (fewTries: RetryPolicy) => Promise<Value>,
): Promise<Value | null> {
  let responses = 0
  let silences = 0
  const fewTries: RetryPolicy = {
    progressed: (bytes) => retryPolicy.progressed(bytes),
    moved: () => retryPolicy.moved(),
    async waitAfter(failure, isVain) {
      if (failure instanceof StoreError && failure.httpStatus !== null) responses += 1
      else silences += 1
      if (responses >= MAX_RESPONSES || silences >= MAX_SILENCES)
        throw new GivenUp('Gave up after a few tries', { cause: failure })
      await retryPolicy.waitAfter(failure, isVain)
    },
  }
  try {
    return await look(fewTries)
  } catch (failure) {
    if (failure instanceof GivenUp) return null
    if (failure instanceof TransferError && !isCommonCause(failure.info)) return null
    throw failure
  }
}
