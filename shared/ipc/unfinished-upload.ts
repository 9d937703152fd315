import type { BucketAddress } from './object-requests.ts'
import type { TransferId, WaitState } from '../transfer/transfer.ts'

/** Identifies one multipart upload in a place. */
export interface UploadName extends BucketAddress {
  readonly key: string
  readonly uploadId: string
}

/** An upload that was begun and neither completed nor discarded. */
export interface UnfinishedUpload {
  readonly key: string
  readonly uploadId: string
  /** Milliseconds since the epoch; null when the service does not say. */
  readonly startedAtMs: number | null
  /** The row that continues it; null when there is none in our list. */
  readonly ours: OwnUpload | null
}

/** A row that continues an upload. */
export interface OwnUpload {
  readonly transferId: TransferId
  readonly localPath: string
  /** Whether it goes on by itself, so that nobody needs to finish it. */
  readonly isUnderWay: boolean
}

/** Whether a row is continuing an upload by itself. */
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

/** Why a page of a listing has not come yet, and when it is requested again. */
export interface UnfinishedListingWait extends BucketAddress {
  readonly wait: WaitState
}

/** How much of an unfinished upload is on the server; null: it doesn't say. */
export type UploadAmount = { readonly parts: number; readonly sizeBytes: number } | null
