import type { Message } from '../language/message.ts'
import type { BucketAddress } from './object-requests.ts'
import type { UploadName } from './unfinished-upload.ts'

/** A parts list that was dropped, and the place or bucket that was shown then. */
export interface DroppedPartsList extends BucketAddress {
  /** Absolute path of the file. */
  readonly path: string
}

/** A parts list beside the unfinished upload that it is of. */
export interface PartsListReview {
  readonly upload: UploadName
  /** Of the place that the upload is in. */
  readonly placeName: string
  readonly bucket: string
  /** Milliseconds since the epoch; null when the service does not tell. */
  readonly startedAtMs: number | null
  /** Parts that the list names. */
  readonly parts: number
  /** Of the parts on the server; null where the service doesn’t list them. */
  readonly sizeBytes: number | null
  /** Why it can’t be completed as it is, a sentence; null: it can. */
  readonly lack: Message | null
}
