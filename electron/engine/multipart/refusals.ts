// Tells what a refusal to make an object means.

import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { classify } from '../retry/classify.ts'

/** The upload doesn't exist any more. Services need not send a code for that: a 404 without one means the same. */
export function isUploadGone({ code, httpStatus }: StoreError): boolean {
  return code === 'NoSuchUpload' || (code === STORE_ERROR.unnamed && httpStatus === 404)
}

/** A condition was not met: an object has the key, or is just getting it (Amazon S3, conditional writes). */
export function isKeyTaken({ code, httpStatus }: StoreError): boolean {
  return code === 'PreconditionFailed' || code === 'ConditionalRequestConflict' || httpStatus === 412
}

/** True for answers that don't tell whether the request was or will be carried out, including errors inside a 2xx. */
export function isInconclusive(failure: StoreError): boolean {
  return classify(failure).kind === 'wait' || isSuccessStatus(failure)
}

/** Returns the same failure as one that is worth another try. */
export function asTransient(failure: StoreError): StoreError {
  if (classify(failure).kind === 'wait') return failure
  const { httpStatus, requestId, retryAfterMs } = failure
  const facts = { httpStatus, requestId, retryAfterMs, cause: failure }
  return new StoreError(STORE_ERROR.badAnswer, `${failure.code}: ${failure.message}`, facts)
}

function isSuccessStatus(failure: StoreError): boolean {
  return failure.httpStatus !== null && failure.httpStatus >= 200 && failure.httpStatus < 300
}
