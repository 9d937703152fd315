import type { Message } from '../language/message.ts'
import type { BucketAddress } from './object-requests.ts'
import type { UploadName } from './unfinished-upload.ts'

/** A parts list that was dropped, and the place or bucket that was shown at that moment. */
export interface DroppedPartsList extends BucketAddress {
  /** Absolute path of the file. */
  readonly path: string
}

/** A parts list compared with its unfinished upload. */
export interface PartsListReview {
  readonly upload: UploadName
  /** The name of the upload's place. */
  readonly placeName: string
  readonly bucket: string
  /** Milliseconds since the epoch; null when the service does not say. */
  readonly startedAtMs: number | null
  /** The number of parts that the list names. */
  readonly parts: number
  /** The size of the parts on the server; null when the service doesn’t list them. */
  readonly sizeBytes: number | null
  /** A sentence that says why the upload can’t be completed from the list; null: it can. */
  readonly lack: Message | null
}
