import type { BucketAddress } from '../../../shared/ipc/object-requests.ts'
import type { DroppedPartsList, PartsListReview } from '../../../shared/ipc/parts-list-review.ts'
import type {
  UnfinishedUploadsPage,
  UploadAmount,
  UploadMarkers,
  UploadName,
} from '../../../shared/ipc/unfinished-upload.ts'
import type { CompareProgress, PartsList } from '../../engine/index.ts'

/** The unfinished uploads of a place, whoever began them. Every method throws RequestError. */
export interface UnfinishedUploads {
  list(address: BucketAddress, after: UploadMarkers | null): Promise<UnfinishedUploadsPage>
  measure(upload: UploadName): Promise<UploadAmount>
  /** Resolves when it is durable; it is repeated until it is true. */
  discard(upload: UploadName): Promise<void>
  /** Writes the parts list of an upload to a file. */
  save(upload: UploadName, path: string): Promise<void>
  /**
   * Continues an upload with a file of which it has parts; false: it was stopped. `parts` are asked for where the service
   * lists none.
   */
  finish(
    upload: UploadName,
    sourcePath: string,
    onProgress: (progress: CompareProgress) => void,
    parts?: PartsList['parts'],
  ): Promise<boolean>
  /** Stops comparing a file with an upload. */
  stop(uploadId: string): void
}

/** Parts lists that are dropped on the window, as this or another tool wrote them. */
export interface PartsLists {
  /** Those of the files that are meant as parts lists. */
  find(paths: readonly string[]): Promise<readonly string[]>
  /** Compares a list with the upload that it is of. Throws RequestError when it is of no use. */
  review(list: DroppedPartsList): Promise<PartsListReview>
  /** Completes the upload with exactly these parts, as a row of the queue. Throws RequestError. */
  complete(list: DroppedPartsList): Promise<void>
  /** Continues the upload with the file that it is of; false: it was stopped. Throws RequestError. */
  finish(list: DroppedPartsList, sourcePath: string, onProgress: (at: CompareProgress) => void): Promise<boolean>
}
