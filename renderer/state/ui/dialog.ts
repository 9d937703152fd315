// What a sheet that is open shows, and the questions that are asked.

import type { EnqueueDownloads, EnqueueUploads, TakenUploads } from '../../../shared/ipc/ipc-contract.ts'
import type { CertificateSubject } from '../../../shared/ipc/network-requests.ts'
import type { DroppedPartsList } from '../../../shared/ipc/parts-list-review.ts'
import type { Place, PlaceId } from '../../../shared/place/place.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { Entry } from '../objects/listing.ts'
import type { BrowseLocation } from '../objects/location.ts'

export type DialogState =
  | { readonly kind: 'none' }
  | { readonly kind: 'download'; readonly text: string | null; readonly destination?: Destination }
  /** What was picked in a folder. */
  | { readonly kind: 'download-picked'; readonly location: BrowseLocation; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'upload'
      readonly paths: readonly string[]
      readonly location: BrowseLocation | null
      readonly areFiles: boolean
    }
  | { readonly kind: 'preview'; readonly file: PreviewedFile }
  | { readonly kind: 'link'; readonly location: BrowseLocation; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly location: BrowseLocation; readonly entries: readonly Entry[] }
  | { readonly kind: 'new-folder'; readonly location: BrowseLocation }
  /** Files that were not uploaded because their names are taken. */
  | { readonly kind: 'taken'; readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>; readonly taken: TakenUploads }
  /** With a place: the form that changes it. `back` is shown again after it. */
  | { readonly kind: 'add-place'; readonly place?: Place; readonly back?: DialogState }
  | { readonly kind: 'settings'; readonly tab?: 'bandwidth' | 'network' }
  | { readonly kind: 'certificate'; readonly subject: CertificateSubject }
  | LinksDialog
  | { readonly kind: 'relink'; readonly id: TransferId }
  | BucketDialog
  /** An unfinished upload of the same key was found. */
  | { readonly kind: 'earlier-upload'; readonly id: TransferId }
  | { readonly kind: 'decide'; readonly id: TransferId }
  | { readonly kind: 'unfinished'; readonly place: Place; readonly bucket: string }
  /** One after another. */
  | { readonly kind: 'parts-list'; readonly lists: readonly DroppedPartsList[] }
  | { readonly kind: 'limit'; readonly ids: readonly TransferId[] }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'report' }
  | { readonly kind: 'about' }

/** A file to look at: of the folder of a place that is shown, or a finished one on this computer. */
export type PreviewedFile = { readonly name: string; readonly sizeBytes: number } & (
  | { readonly kind: 'object'; readonly location: BrowseLocation; readonly entry: Entry }
  /** That of a transfer, or one of a folder transfer: its number from 0, and its path below the folder. */
  | { readonly kind: 'local'; readonly id: TransferId; readonly number: number | null; readonly path: string }
)

/** Transfers whose bucket isn't there. */
export interface BucketDialog {
  readonly kind: 'choose-bucket'
  readonly ids: readonly TransferId[]
  /** Of the first of them. */
  readonly name: string
  readonly placeId: PlaceId
  /** The one that isn't there. */
  readonly bucket: string
}

/** Links: from outside, out of a dropped list, or typed. */
export interface LinksDialog {
  readonly kind: 'links'
  readonly links: readonly string[]
  readonly leftOut?: LinksLeftOut
  readonly typed?: TypedLinks
  readonly destination?: Destination
  /** Takes the dropped list itself. */
  readonly uploadInstead?: () => void
}

/** What came with links and is not among them. */
export interface LinksLeftOut {
  /** Lines that are no links. */
  readonly noLinks?: number
  /** Links beyond those that are taken at a time. */
  readonly tooMany?: number
}

/** The text that links were typed in. */
export interface TypedLinks {
  readonly text: string
  /** The place, in one bucket, whose files lines without an address name. */
  readonly home: Place | null
}

/** Where downloads go; without a folder: the usual one. */
export interface Destination {
  readonly directory: string | null
  readonly onConflict: EnqueueDownloads['onConflict']
}

export const ANYWHERE: Destination = { directory: null, onConflict: 'keep-both' }

/** A question before something is lost. The safe answer is the default. */
export interface Question {
  readonly title: string
  readonly body: string
  readonly safeLabel: string
  readonly confirmLabel: string
  readonly onConfirm: () => void
  /** A third way, that loses nothing. */
  readonly other?: { readonly label: string; readonly onPress: () => void }
  /** The same question as it would be asked by now, while transfers go on; null: there is nothing to ask any more. */
  readonly again?: () => Question | null
}
