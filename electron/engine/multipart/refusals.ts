// What a refusal to make an object means.

import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { classify } from '../retry/classify.ts'

/** Services need not name a code for it: a 404 without any means the same. */
export function isUploadGone({ code, httpStatus }: StoreError): boolean {
  return code === 'NoSuchUpload' || (code === STORE_ERROR.unnamed && httpStatus === 404)
}

/** A condition was not met: something has the key, or got it this moment (Amazon S3, conditional writes). */
export function isKeyTaken({ code, httpStatus }: StoreError): boolean {
  return code === 'PreconditionFailed' || code === 'ConditionalRequestConflict' || httpStatus === 412
}

/** True for answers that don't tell whether the request was or will be carried out; errors inside a 2xx among them. */
export function isInconclusive(failure: StoreError): boolean {
  return classify(failure).kind === 'wait' || isSuccessStatus(failure)
}

/** The same failure as one that is worth another try. */
export function asTransient(failure: StoreError): StoreError {
  if (classify(failure).kind === 'wait') return failure
  const { httpStatus, requestId, retryAfterMs } = failure
  const facts = { httpStatus, requestId, retryAfterMs, cause: failure }
  return new StoreError(STORE_ERROR.badAnswer, `${failure.code}: ${failure.message}`, facts)
}

function isSuccessStatus(failure: StoreError): boolean {
  return failure.httpStatus !== null && failure.httpStatus >= 200 && failure.httpStatus < 300
}
