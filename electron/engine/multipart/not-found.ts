// Tells an upload that is gone from a gateway that knows nothing of it.

import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { TransferError } from '../core/transfer-error.ts'
import { uploadPages } from './listings.ts'
import type { UploadLook } from './read-back.ts'

/** The upload that a request was about. */
export interface QuestionedUpload extends Pick<UploadLook, 'store' | 'key' | 'uploadId' | 'signal'> {
  /** The service has listed its uploads before. */
  readonly listsUploads: boolean
}

/**
 * Returns what a refusal of a request about an upload means. A 404 without a code may be the service's word for an upload
 * that is gone, or a gateway's for a service that restarts: the list of uploads tells, also by being gone itself. Throws
 * `signal.reason` when aborted.
 */
export async function explainNotFound(upload: QuestionedUpload, refusal: StoreError): Promise<StoreError> {
  const { code, httpStatus, requestId, message, retryAfterMs } = refusal
  const isBare = code === STORE_ERROR.unnamed || code === STORE_ERROR.notImplemented
  if (httpStatus !== 404 || !isBare || !upload.listsUploads || upload.uploadId === null) return refusal
  const meant = (await isListed(upload)) === false ? 'NoSuchUpload' : STORE_ERROR.inFront
  return new StoreError(meant, message, { httpStatus, requestId, retryAfterMs, cause: refusal })
}

/** Null if the list can't be had now. */
async function isListed({ store, key, uploadId, signal }: QuestionedUpload): Promise<boolean | null> {
  try {
    for await (const page of uploadPages(store, key, signal, (ask) => ask())) {
      if (page.uploads.some((upload) => upload.key === key && upload.uploadId === uploadId)) return true
    }
    return false
  } catch (failure) {
    if (failure instanceof StoreError || failure instanceof TransferError) return null
    throw failure
  }
}
