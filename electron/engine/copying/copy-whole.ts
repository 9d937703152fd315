import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { asTransient, isInconclusive, isKeyTaken } from '../multipart/refusals.ts'
import { readBack } from '../multipart/read-back.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { isCopyOf, unstoppable, type CopyJob } from './copy-job.ts'
import { MoveError } from './move-error.ts'

/**
 * Copies an object by one CopyObject. A lost answer is settled by looking at the key: only a copy that is surely ours
 * counts, and nothing is sent over another one. Returns the copy's ETag; null where the service doesn't tell.
 */
export async function copyWhole(job: CopyJob): Promise<string | null> {
  const { copies, from, to, original, retryPolicy } = job
  const request = {
    ...{ sourceKey: from, sourceEtag: original.etag, traits: original.traits ?? {} },
    ...{ key: to, ifAbsent: true, signal: unstoppable() },
  }
  /** An earlier request may have been carried out, or may still be. */
  let isUncertain = false
  for (;;) {
    try {
      const { etag } = await copies.copyObject(request)
      retryPolicy.moved()
      return etag
    } catch (failure) {
      if (!(failure instanceof StoreError)) throw failure
      if (failure.code === STORE_ERROR.notImplemented) throw new MoveError('lacking', to, failure)
      const isRefused = isKeyTaken(failure)
      isUncertain ||= failure.maybeProcessed && !isRefused
      if (!isRefused) await retryPolicy.waitAfter(isInconclusive(failure) ? asTransient(failure) : failure)
      const known = await settle(job, isUncertain, isRefused)
      if (known !== undefined) return known
    }
  }
}

/** Looks at what a request left. Returns the ETag of the copy, or undefined if the request may be sent again. */
async function settle(job: CopyJob, isUncertain: boolean, isRefused: boolean): Promise<string | null | undefined> {
  const { store, to, original, retryPolicy } = job
  const found = await withRetry(retryPolicy, () => readBack({ store, key: to, signal: unstoppable() }))
  // The condition about the original is all that is left to be refused.
  if (found === 'absent' && isRefused) throw new MoveError('changed', to)
  if (found === 'absent') return undefined
  if (found !== 'hidden' && isUncertain && isCopyOf(original, found)) return found.etag
  throw new MoveError(isUncertain ? 'unconfirmed' : 'taken', to)
}
