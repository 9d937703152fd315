// The contract between the window and the main process: every request with its answer, every event with its payload.

import type { AppInfo, KeyringState } from './app-info.ts'
import { DESKTOP_REQUESTS, type DesktopRequests, type Plans } from './desktop-requests.ts'
import { FOLDER_REQUESTS, type FolderRequests } from './folder-requests.ts'
import { LINK_REQUESTS, type LinkRequests } from './link-requests.ts'
import type { MenuCommand } from './menu-commands.ts'
import type { Message } from '../language/message.ts'
import { NETWORK_REQUESTS, type NetworkRequests } from './network-requests.ts'
import {
  OBJECT_REQUEST_NAMES,
  type BucketAddress,
  type FilePreview,
  type LocalFileName,
  type ObjectRequests,
} from './object-requests.ts'
import type { DroppedPartsList, PartsListReview } from './parts-list-review.ts'
import type { PlaceCheck } from '../place/place-check.ts'
import type { AwsProfile, ImportedPlaces, NewPlace, Place, PlaceId } from '../place/place.ts'
import type { Result } from './result.ts'
import type { Conflict } from '../conflict.ts'
import type { Settings } from '../settings.ts'
import type { Refusal } from '../transfer/words/error-words.ts'
import type { QueueView } from '../transfer/queue-view.ts'
import type { TransferDelta, TransferSnapshot } from '../transfer/transfer-delta.ts'
import type { SkippedSums, TransferDetails, TransferId } from '../transfer/transfer.ts'
import type {
  UnfinishedListingWait,
  UnfinishedUploadsPage,
  UploadAmount,
  UploadMarkers,
  UploadName,
} from './unfinished-upload.ts'
import type { UpdateStatus } from './update-status.ts'
import type { UploadOffer } from './upload-offer.ts'

/**
 * Every request of the window. Adding one takes four edits: its types and its name here or in the file of its subject
 * beside this one, its parser (`electron/ipc/parsers`) and its handler (`electron/ipc/handlers.ts`, or the file of its
 * subject there). The window sends it with `request` (`renderer/bridge.ts`).
 * Commands are bulk: "pause all" is one message. Rows never come back as return values, only by snapshot and delta.
 */
export interface IpcRequests extends ObjectRequests, NetworkRequests, LinkRequests, DesktopRequests, FolderRequests {
  'queue:snapshot': { request: null; response: TransferSnapshot }
  'queue:watch': { request: { readonly id: TransferId | null }; response: null }
  'transfers:pause': { request: TransferSelection; response: null }
  'transfers:resume': { request: TransferSelection; response: null }
  'transfers:retry': { request: TransferSelection; response: null }
  /** Drops what is already transferred and begins again from the current file or object. */
  'transfers:start-over': { request: TransferSelection; response: null }
  /** Stops and discards: aborts the multipart upload, deletes the partial file. */
  'transfers:cancel': { request: TransferSelection; response: null }
  /** Removes finished, failed and canceled rows from the list; touches no finished file and no object. */
  'transfers:remove': { request: TransferRemoval; response: null }
  /** Removes unfinished rows from the list and leaves what they have transferred where it is. */
  'transfers:let-go': { request: TransferRemoval; response: null }
  /** Puts back, once, the rows that a removal took off the list; null: those of the latest removal. */
  'transfers:restore': { request: { readonly removal: string | null }; response: null }
  /** Moves transfers right before another one in the queue, or to the end if `before` is null. */
  'transfers:move': {
    request: { readonly ids: readonly TransferId[]; readonly before: TransferId | null }
    response: null
  }
  /** Starts queued and paused transfers, up to 16, however many already run; the others are next in line. */
  'transfers:start-now': { request: TransferSelection; response: null }
  /** Starts failed transfers over in another bucket of their place. */
  'transfers:rebucket': { request: TransferSelection & { readonly bucket: string }; response: null }
  /** Limits each of the transfers to this many bytes a second; null: only the limits that they share apply. */
  'transfers:set-limit': {
    request: TransferSelection & { readonly limitBytesPerSecond: number | null }
    response: null
  }
  'uploads:enqueue': { request: EnqueueUploads; response: EnqueueResult }
  /** Compares the file of an upload that stopped for a decision with the unfinished uploads of its key. */
  'uploads:compare': { request: { readonly id: TransferId }; response: UploadOffer }
  /** Stops comparing a transfer's file, by the transfer's id, or that of an unfinished upload, by its uploadId. */
  'uploads:stop-comparing': { request: { readonly id: string }; response: null }
  /** Continues one of the compared uploads, or begins a new one if `uploadId` is null. */
  'uploads:decide': { request: { readonly id: TransferId; readonly uploadId: string | null }; response: null }
  /** A page of the unfinished uploads of a place, including those of other programs. */
  'uploads:list': {
    request: BucketAddress & { readonly after: UploadMarkers | null }
    response: UnfinishedUploadsPage
  }
  'uploads:measure': { request: UploadName; response: UploadAmount }
  'uploads:discard': { request: UploadName; response: null }
  /** Lets the person choose a file, and continues the upload with it or writes the parts list to it; false: none. */
  'uploads:finish': { request: UploadName; response: boolean }
  'uploads:save-parts': { request: UploadName; response: boolean }
  /** Writes the parts list of a row's upload in the same way. */
  'transfers:save-parts': { request: { readonly id: TransferId }; response: boolean }
  /** The paths of files that are meant as parts lists. */
  'parts-lists:find': { request: { readonly paths: readonly string[] }; response: readonly string[] }
  'parts-lists:review': { request: DroppedPartsList; response: PartsListReview }
  'parts-lists:complete': { request: DroppedPartsList; response: null }
  /** Lets the person choose the file, and continues the upload with it; false: none was chosen, or it was stopped. */
  'parts-lists:finish': { request: DroppedPartsList; response: boolean }
  /** Adds files and folders as one row. */
  'uploads:enqueue-folder': { request: EnqueueUploadFolder; response: EnqueueResult }
  /** Counts what would be uploaded. Repeat with the same id until it is done; a count that nobody asks about ends. */
  'uploads:measure-sources': { request: MeasureSources; response: MeasuredSources }
  'downloads:enqueue': { request: EnqueueDownloads; response: EnqueueResult }
  /** Gives an unfinished download a fresh link because its own has expired; what is downloaded is kept. */
  'downloads:relink': { request: RelinkDownload; response: null }
  /** Continues partial files, or their sidecars, that belong to no row. */
  'downloads:adopt': { request: { readonly paths: readonly string[] }; response: EnqueueResult }
  'places:list': { request: null; response: readonly Place[] }
  'places:add': { request: NewPlace; response: Place }
  /** Adds a place that takes over the secrets of the one with this id if its own are empty. */
  'places:duplicate': { request: { readonly id: PlaceId; readonly place: NewPlace }; response: Place }
  /** If the secrets are empty, the place keeps its own. */
  'places:edit': { request: { readonly id: PlaceId; readonly place: NewPlace }; response: Place }
  /** Tries a place that is not saved yet. With an id, empty secrets stand for those of that place, which is changed or duplicated. */
  'places:check': { request: { readonly id: PlaceId | null; readonly place: NewPlace }; response: PlaceCheck }
  /** Returns the places in their new order; the demo store stays first. */
  'places:reorder': { request: { readonly ids: readonly PlaceId[] }; response: readonly Place[] }
  /** The profiles of `~/.aws` on this computer. */
  'places:profiles': { request: null; response: readonly AwsProfile[] }
  'places:remove': { request: { readonly id: PlaceId }; response: null }
  /** Lets the person choose a file, writes the places to it without secrets and returns how many; null: none chosen. */
  'places:export': { request: null; response: number | null }
  /** Lets the person choose such a file and adds its places; null: none was chosen. */
  'places:import': { request: null; response: ImportedPlaces | null }
  'settings:get': { request: null; response: Settings }
  'settings:set': { request: Partial<Settings>; response: Settings }
  /** Makes a sample file of 2 GB in the app's data folder and uploads it to the demo store at 40 MB/s. */
  'sample:start': { request: null; response: EnqueueResult }
  'dialogs:choose-files': { request: null; response: readonly string[] }
  'dialogs:choose-folder': { request: { readonly defaultPath: string | null }; response: string | null }
  /** How many bytes are free on the volume of a folder; null when it doesn't say. */
  'folders:space': { request: { readonly directory: string }; response: { readonly freeBytes: number | null } }
  'shell:reveal': { request: { readonly id: TransferId }; response: null }
  /** Opens the file of a finished upload with its program; one that would run is shown in its folder instead. */
  'shell:open': { request: { readonly id: TransferId }; response: null }
  /** Reads as much of a finished file as a preview takes. */
  'shell:preview': { request: LocalFileName; response: FilePreview }
  /** Continues a drag as one of the files of finished transfers, which other programs accept. */
  'shell:drag': { request: { readonly ids: readonly TransferId[] }; response: null }
  'clipboard:write': { request: { readonly text: string }; response: null }
  /** The http or https link on the clipboard, or null. Requested only when a sheet that takes a link opens. */
  'clipboard:link': { request: null; response: string | null }
  /** How the person left the list of transfers; null: the default view. */
  'view:get': { request: null; response: QueueView | null }
  'view:set': { request: QueueView; response: null }
  'app:info': { request: null; response: AppInfo }
  /** Whether the disk that holds the list of transfers takes writes now. */
  'app:can-save': { request: null; response: boolean }
  /** Checks whether the keyring can be used by now; if so, the transfers that it stopped go on. */
  'keyring:unlock': { request: null; response: KeyringState }
  /** Quits the app and opens it again. */
  'app:restart': { request: null; response: null }
}

/** What main tells the window without being asked. */
export interface IpcEvents {
  'queue:delta': TransferDelta
  /** Details of the watched transfer, at most four a second. */
  'queue:details': TransferDetails
  /** A command that the person chose from a menu, for the window to carry out. */
  'menu:command': MenuCommand
  /** The progress of comparing an upload's file. */
  'uploads:comparing': UploadComparing
  /** A listing that the window requested with `uploads:list` takes longer. */
  'uploads:listing-waits': UnfinishedListingWait
  /** Sentences for the notice bar, such as "Set aside 1 damaged record", worded in the language of the window. */
  'app:notice': { readonly sentences: readonly Refusal[] }
  /** The settings were changed, by the window or by a menu. */
  'settings:changed': Settings
  'plans:changed': Plans
  'updates:changed': UpdateStatus
  /** Rows to select and show. */
  'rows:reveal': { readonly ids: readonly TransferId[] }
  /** The system opened links with the app; get them with `links:take`. */
  'links:arrived': null
}

export type IpcRequestName = keyof IpcRequests
export type IpcEventName = keyof IpcEvents
export type IpcRequest<Name extends IpcRequestName> = IpcRequests[Name]['request']
export type IpcResponse<Name extends IpcRequestName> = IpcRequests[Name]['response']

export type TransferSelection = { readonly ids: readonly TransferId[] } | { readonly ids: 'all' }

/** Requests with the same `removal`, a UUID, can be undone together. Left out: the request is a removal of its own. */
export type TransferRemoval = TransferSelection & { readonly removal?: string }

export interface EnqueueUploads extends BucketAddress {
  /** Prepended to each file's name. Empty, or ends in `/`. */
  readonly prefix: string
  /** Absolute paths of files or folders. */
  readonly paths: readonly string[]
  /** What to do if another object has the key. Left out: such files are not added yet, and the result names them. */
  readonly onConflict?: Conflict | undefined
  /** It waits for a person to resume it; left out: as the settings say. */
  readonly addsPaused?: boolean | undefined
}

export interface UploadComparing {
  /** The id of the transfer, or of the multipart upload to finish. */
  readonly id: string
  readonly comparedBytes: number
  readonly totalBytes: number
}

export interface EnqueueUploadFolder extends EnqueueUploads {
  /** What to do if another object has the key. One that is proven equal is left alone anyway. */
  readonly onConflict: Conflict
}

export interface MeasureSources {
  /** Chosen by the window. */
  readonly id: string
  readonly paths: readonly string[]
}

export interface MeasuredSources {
  readonly files: number
  readonly sizeBytes: number
  readonly emptyFolders: number
  readonly skipped: SkippedSums
  readonly isDone: boolean
}

export interface EnqueueDownloads {
  readonly source:
    | (BucketAddress & { readonly kind: 'objects'; readonly keys: readonly string[] })
    /** Everything under each prefix, as one transfer each. A prefix ends in `/`. */
    | (BucketAddress & { readonly kind: 'folders'; readonly prefixes: readonly string[] })
    | { readonly kind: 'links'; readonly urls: readonly string[] }
  /** Absolute path of the target folder. */
  readonly directory: string
  /** What to do when the name of a file is taken. */
  readonly onConflict: Conflict
  /** It waits for a person to resume it; left out: as the settings say. */
  readonly addsPaused?: boolean | undefined
  /** Whether to download again, under another name, what an unfinished row already downloads into the folder. */
  readonly asCopies?: boolean | undefined
}

export interface RelinkDownload {
  readonly id: TransferId
  readonly url: string
}

export interface TakenUploads {
  readonly files: readonly TakenUpload[]
  /** False: the place did not answer in time, so some of the keys may not be taken. */
  readonly isCertain: boolean
}

/** A file whose key is taken, and the object that has it. */
export interface TakenUpload {
  readonly path: string
  readonly ours: FileVersion
  /** Null: the object could not be looked at in time. */
  readonly theirs: FileVersion | null
}

/** What tells two versions of a file apart at a glance; null: not known. */
export interface FileVersion {
  readonly sizeBytes: number | null
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number | null
}

export interface EnqueueResult {
  readonly added: number
  /** One sentence for each item that was not added ("notes.txt is already in the list"). */
  readonly skipped: readonly Message[]
  /** Files that were not added because their keys have objects: the person has to decide about them. */
  readonly taken?: TakenUploads
  /** Uploads that were already in the list and go on. */
  readonly continued?: readonly { readonly name: string; readonly confirmedBytes: number }[]
  /** Unfinished uploads of the same files to other keys in the bucket. The files were added anyway. */
  readonly elsewhere?: readonly { readonly name: string; readonly key: string; readonly confirmedBytes: number }[]
  /** Rows to show, because they have what was asked for: new ones, those that go on, those that already had it. */
  readonly ids?: readonly TransferId[]
  /** The request that downloads, as copies, what was left out because unfinished rows already download it. */
  readonly copies?: EnqueueDownloads
}

/** Why a request was refused; `refusalWords` puts `message` into words for people. */
export interface IpcError {
  readonly code: 'invalid-request' | 'not-allowed' | 'failed'
  readonly message: Refusal
}

export type IpcReply<Name extends IpcRequestName> = Result<IpcResponse<Name>, IpcError>

/** Allow-lists for the preload script. `satisfies` keeps them complete. */
export const IPC_REQUEST_NAMES = Object.keys({
  'queue:snapshot': true,
  'queue:watch': true,
  'transfers:pause': true,
  'transfers:resume': true,
  'transfers:retry': true,
  'transfers:start-over': true,
  'transfers:cancel': true,
  'transfers:remove': true,
  'transfers:let-go': true,
  'transfers:restore': true,
  'transfers:move': true,
  'transfers:start-now': true,
  'transfers:rebucket': true,
  'transfers:set-limit': true,
  'uploads:enqueue': true,
  'uploads:compare': true,
  'uploads:stop-comparing': true,
  'uploads:decide': true,
  'uploads:list': true,
  'uploads:measure': true,
  'uploads:discard': true,
  'uploads:finish': true,
  'uploads:save-parts': true,
  'transfers:save-parts': true,
  'parts-lists:find': true,
  'parts-lists:review': true,
  'parts-lists:complete': true,
  'parts-lists:finish': true,
  'uploads:enqueue-folder': true,
  'uploads:measure-sources': true,
  'downloads:enqueue': true,
  'downloads:relink': true,
  'downloads:adopt': true,
  ...OBJECT_REQUEST_NAMES,
  'places:list': true,
  'places:add': true,
  'places:duplicate': true,
  'places:edit': true,
  'places:check': true,
  'places:reorder': true,
  'places:profiles': true,
  'places:remove': true,
  'places:export': true,
  'places:import': true,
  'settings:get': true,
  'settings:set': true,
  'sample:start': true,
  'dialogs:choose-files': true,
  'dialogs:choose-folder': true,
  'folders:space': true,
  'shell:reveal': true,
  'shell:open': true,
  'shell:preview': true,
  'shell:drag': true,
  'clipboard:write': true,
  'clipboard:link': true,
  'view:get': true,
  'view:set': true,
  'app:info': true,
  'app:can-save': true,
  'keyring:unlock': true,
  'app:restart': true,
  ...NETWORK_REQUESTS,
  ...LINK_REQUESTS,
  ...DESKTOP_REQUESTS,
  ...FOLDER_REQUESTS,
} satisfies Record<IpcRequestName, true>) as readonly IpcRequestName[]

export const IPC_EVENT_NAMES = Object.keys({
  'queue:delta': true,
  'queue:details': true,
  'menu:command': true,
  'uploads:comparing': true,
  'uploads:listing-waits': true,
  'app:notice': true,
  'settings:changed': true,
  'plans:changed': true,
  'updates:changed': true,
  'rows:reveal': true,
  'links:arrived': true,
} satisfies Record<IpcEventName, true>) as readonly IpcEventName[]
