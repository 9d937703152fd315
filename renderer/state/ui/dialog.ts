// What the open sheet shows, and questions to the person.

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
  /** Lines that were picked in a folder. */
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
  | { readonly kind: 'rename'; readonly location: BrowseLocation; readonly entry: Entry }
  | MoveDialog
  | { readonly kind: 'new-folder'; readonly location: BrowseLocation }
  | { readonly kind: 'new-bucket'; readonly place: Place }
  /** Files that were not uploaded because their names are taken. */
  | { readonly kind: 'taken'; readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>; readonly taken: TakenUploads }
  /** With a place: the form that changes it; with `like`: one filled in like that place. `back` is shown afterwards. */
  | { readonly kind: 'add-place'; readonly place?: Place; readonly like?: Place; readonly back?: DialogState }
  | { readonly kind: 'settings'; readonly tab?: 'bandwidth' | 'network' }
  | { readonly kind: 'certificate'; readonly subject: CertificateSubject }
  | LinksDialog
  | { readonly kind: 'relink'; readonly id: TransferId }
  | BucketDialog
  /** An unfinished upload of the same key was found. */
  | { readonly kind: 'earlier-upload'; readonly id: TransferId }
  | { readonly kind: 'decide'; readonly id: TransferId }
  | { readonly kind: 'unfinished'; readonly place: Place; readonly bucket: string }
  /** The lists are shown one after another. */
  | { readonly kind: 'parts-list'; readonly lists: readonly DroppedPartsList[] }
  | { readonly kind: 'limit'; readonly ids: readonly TransferId[] }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'report' }
  | { readonly kind: 'about' }

/** The sheet that moves lines to another folder of their bucket. */
export interface MoveDialog {
  readonly kind: 'move'
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  /** The folder on which they were dropped; left out: none was chosen yet. */
  readonly to?: string
}

/** A file to preview: an object in the open folder of a place, or a finished file on this computer. */
export type PreviewedFile = { readonly name: string; readonly sizeBytes: number } & (
  | { readonly kind: 'object'; readonly location: BrowseLocation; readonly entry: Entry }
  /** A transfer's file, or one of a folder transfer, with its number from 0 and its path below the folder. */
  | { readonly kind: 'local'; readonly id: TransferId; readonly number: number | null; readonly path: string }
)

/** The sheet for transfers whose bucket doesn't exist. */
export interface BucketDialog {
  readonly kind: 'choose-bucket'
  readonly ids: readonly TransferId[]
  /** The name of the first of them. */
  readonly name: string
  readonly placeId: PlaceId
  /** The bucket that doesn't exist. */
  readonly bucket: string
}

/** The sheet for links: from outside, from a dropped list, or typed. */
export interface LinksDialog {
  readonly kind: 'links'
  readonly links: readonly string[]
  readonly leftOut?: LinksLeftOut
  readonly typed?: TypedLinks
  readonly destination?: Destination
  /** Uploads the dropped list itself. */
  readonly uploadInstead?: () => void
}

/** How many lines beside the links were left out. */
export interface LinksLeftOut {
  /** Lines that aren't links. */
  readonly noLinks?: number
  /** Links beyond the most that are accepted at a time. */
  readonly tooMany?: number
}

/** The text in which links were typed. */
export interface TypedLinks {
  readonly text: string
  /** The place, with one bucket, in which lines without an address name files. */
  readonly home: Place | null
}

/** Where downloads go; without a folder, to the usual one. */
export interface Destination {
  readonly directory: string | null
  readonly onConflict: EnqueueDownloads['onConflict']
}

export const ANYWHERE: Destination = { directory: null, onConflict: 'keep-both' }

/** A question asked before something is lost. The safe answer is the default. */
export interface Question {
  readonly title: string
  readonly body: string
  readonly safeLabel: string
  readonly confirmLabel: string
  readonly onConfirm: () => void
  /** A third answer, which loses nothing. */
  readonly other?: { readonly label: string; readonly onPress: () => void }
  /** The question as it would be asked now, because transfers go on; null: there is nothing left to ask. */
  readonly again?: () => Question | null
}
