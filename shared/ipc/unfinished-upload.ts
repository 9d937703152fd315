import type { BucketAddress } from './object-requests.ts'
import type { TransferId, WaitState } from '../transfer/transfer.ts'

/** Names one multipart upload of a place. */
export interface UploadName extends BucketAddress {
  readonly key: string
  readonly uploadId: string
}

/** An upload that was begun and neither completed nor discarded. */
export interface UnfinishedUpload {
  readonly key: string
  readonly uploadId: string
  /** Milliseconds since the epoch; null when the service does not tell. */
  readonly startedAtMs: number | null
  /** The row that goes on with it; null when this list knows of none. */
  readonly ours: OwnUpload | null
}

/** A row that goes on with an upload. */
export interface OwnUpload {
  readonly transferId: TransferId
  readonly localPath: string
  /** It goes on by itself: nobody need finish it. */
  readonly isUnderWay: boolean
}

/** Whether a row goes on with an upload by itself. */
export function isUnderWay({ ours }: UnfinishedUpload): boolean {
  return ours?.isUnderWay === true
}

/** Where the next page of a listing begins. */
export interface UploadMarkers {
  readonly keyMarker: string
  readonly uploadIdMarker: string
}

export interface UnfinishedUploadsPage {
  readonly uploads: readonly UnfinishedUpload[]
  /** Null on the last page. */
  readonly next: UploadMarkers | null
}

/** Why a page of a listing has not come yet, and when it is asked for again. */
export interface UnfinishedListingWait extends BucketAddress {
  readonly wait: WaitState
}

/** What is on the server of an unfinished upload; null: it doesn't say. */
export type UploadAmount = { readonly parts: number; readonly sizeBytes: number } | null
