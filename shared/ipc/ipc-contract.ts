// The contract between window and main process: every request with its answer, every event with its payload.

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
import type { Refusal } from '../transfer/error-words.ts'
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
 * The one contract between the window and the main process. A request is added in four edits: its types and its name here,
 * its parser (`electron/ipc/parsers`) and its handler (`electron/ipc/handlers.ts`), or in the files beside these that are
 * of its subject. The window makes it with `request` (`renderer/bridge.ts`).
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
  /** Takes finished, failed and canceled rows off the list; touches no finished file and no object. */
  'transfers:remove': { request: TransferRemoval; response: null }
  /** Takes unfinished rows off the list and leaves what they have transferred where it is. */
  'transfers:let-go': { request: TransferRemoval; response: null }
  /** Puts back what a removal took off, once; null: what the latest one did. */
  'transfers:restore': { request: { readonly removal: string | null }; response: null }
  /** Brings transfers right before another one in the queue, or to its end where that is null. */
  'transfers:move': {
    request: { readonly ids: readonly TransferId[]; readonly before: TransferId | null }
    response: null
  }
  /** Starts queued and paused ones, up to 16 however many run; the others are first in line. */
  'transfers:start-now': { request: TransferSelection; response: null }
  /** Begins failed ones anew in another bucket of their place. */
  'transfers:rebucket': { request: TransferSelection & { readonly bucket: string }; response: null }
  /** Limits each of the transfers to so many bytes a second; null: only the limits they share with others. */
  'transfers:set-limit': {
    request: TransferSelection & { readonly limitBytesPerSecond: number | null }
    response: null
  }
  'uploads:enqueue': { request: EnqueueUploads; response: EnqueueResult }
  /** Compares the file of an upload that stopped for a decision with the unfinished uploads of its key. */
  'uploads:compare': { request: { readonly id: TransferId }; response: UploadOffer }
  /** Also of an unfinished upload, by its uploadId. */
  'uploads:stop-comparing': { request: { readonly id: string }; response: null }
  /** Continues one of the compared uploads, or with null begins a new one. */
  'uploads:decide': { request: { readonly id: TransferId; readonly uploadId: string | null }; response: null }
  /** A page of the unfinished uploads of a place, those of other programs as well. */
  'uploads:list': {
    request: BucketAddress & { readonly after: UploadMarkers | null }
    response: UnfinishedUploadsPage
  }
  'uploads:measure': { request: UploadName; response: UploadAmount }
  'uploads:discard': { request: UploadName; response: null }
  /** Asks for a file and continues the upload with it, or writes the parts list to it; false: none was chosen. */
  'uploads:finish': { request: UploadName; response: boolean }
  'uploads:save-parts': { request: UploadName; response: boolean }
  /** The same for the upload of a row. */
  'transfers:save-parts': { request: { readonly id: TransferId }; response: boolean }
  /** Those of the files that are meant as parts lists. */
  'parts-lists:find': { request: { readonly paths: readonly string[] }; response: readonly string[] }
  'parts-lists:review': { request: DroppedPartsList; response: PartsListReview }
  'parts-lists:complete': { request: DroppedPartsList; response: null }
  /** Asks for the file and continues the upload with it; false: none was chosen, or it was stopped. */
  'parts-lists:finish': { request: DroppedPartsList; response: boolean }
  /** Files and folders as one row. */
  'uploads:enqueue-folder': { request: EnqueueUploadFolder; response: EnqueueResult }
  /** Counts what would be uploaded. Asked again with the same id until it is done; a count that is not asked for ends. */
  'uploads:measure-sources': { request: MeasureSources; response: MeasuredSources }
  'downloads:enqueue': { request: EnqueueDownloads; response: EnqueueResult }
  /** A fresh link for an unfinished download whose own has expired; what is downloaded is kept. */
  'downloads:relink': { request: RelinkDownload; response: null }
  /** Goes on with partial files, or their sidecars, that no row knows. */
  'downloads:adopt': { request: { readonly paths: readonly string[] }; response: EnqueueResult }
  'places:list': { request: null; response: readonly Place[] }
  'places:add': { request: NewPlace; response: Place }
  /** Empty secrets: those it has are kept. */
  'places:edit': { request: { readonly id: PlaceId; readonly place: NewPlace }; response: Place }
  /** Tries a place that is not saved. With an id, empty secrets are those of the place that it would change. */
  'places:check': { request: { readonly id: PlaceId | null; readonly place: NewPlace }; response: PlaceCheck }
  /** The places in their new order; the demo store stays first. */
  'places:reorder': { request: { readonly ids: readonly PlaceId[] }; response: readonly Place[] }
  /** The profiles of `~/.aws` on this computer. */
  'places:profiles': { request: null; response: readonly AwsProfile[] }
  'places:remove': { request: { readonly id: PlaceId }; response: null }
  /** Asks for a file and writes the places to it without their secrets: how many; null: no file was chosen. */
  'places:export': { request: null; response: number | null }
  /** Asks for such a file and adds its places; null: none was chosen. */
  'places:import': { request: null; response: ImportedPlaces | null }
  'settings:get': { request: null; response: Settings }
  'settings:set': { request: Partial<Settings>; response: Settings }
  /** Makes a sample file of 2 GB in the app's data folder and uploads it to the demo store at 40 MB/s. */
  'sample:start': { request: null; response: EnqueueResult }
  'dialogs:choose-files': { request: null; response: readonly string[] }
  'dialogs:choose-folder': { request: { readonly defaultPath: string | null }; response: string | null }
  /** How many bytes the volume of a folder still takes; null where it doesn't say. */
  'folders:space': { request: { readonly directory: string }; response: { readonly freeBytes: number | null } }
  'shell:reveal': { request: { readonly id: TransferId }; response: null }
  /** Opens the file of a finished upload with the program for it; one that would run is shown in its folder instead. */
  'shell:open': { request: { readonly id: TransferId }; response: null }
  /** Reads a finished file as far as a look at it takes. */
  'shell:preview': { request: LocalFileName; response: FilePreview }
  /** Goes on as a drag of the files of finished transfers, that other programs take. */
  'shell:drag': { request: { readonly ids: readonly TransferId[] }; response: null }
  'clipboard:write': { request: { readonly text: string }; response: null }
  /** The http or https link that the clipboard holds, or null. Asked only when a sheet that takes one opens. */
  'clipboard:link': { request: null; response: string | null }
  /** How the list of transfers was left; null: as it is at first. */
  'view:get': { request: null; response: QueueView | null }
  'view:set': { request: QueueView; response: null }
  'app:info': { request: null; response: AppInfo }
  /** Looks whether the keyring can be used by now; then what waited for it goes on. */
  'keyring:unlock': { request: null; response: KeyringState }
  /** Ends the app and opens it again. */
  'app:restart': { request: null; response: null }
}

/** What main tells the window without being asked. */
export interface IpcEvents {
  'queue:delta': TransferDelta
  /** Details of the watched transfer, at most four a second. */
  'queue:details': TransferDetails
  /** A menu item or shortcut that the window carries out. */
  'menu:command': MenuCommand
  /** How far the comparison of an upload's file is. */
  'uploads:comparing': UploadComparing
  /** A listing that the window asked for with `uploads:list` takes longer. */
  'uploads:listing-waits': UnfinishedListingWait
  /** Sentences for the notice bar, for example "Set aside 1 damaged record"; why something failed in the words of then. */
  'app:notice': { readonly sentences: readonly Refusal[] }
  /** The settings were changed, by the window or by a menu. */
  'settings:changed': Settings
  'plans:changed': Plans
  'updates:changed': UpdateStatus
  /** Rows to be selected and shown. */
  'rows:reveal': { readonly ids: readonly TransferId[] }
  /** The system opened links with the app; `links:take` has them. */
  'links:arrived': null
}

export type IpcRequestName = keyof IpcRequests
export type IpcEventName = keyof IpcEvents
export type IpcRequest<Name extends IpcRequestName> = IpcRequests[Name]['request']
export type IpcResponse<Name extends IpcRequestName> = IpcRequests[Name]['response']

export type TransferSelection = { readonly ids: readonly TransferId[] } | { readonly ids: 'all' }

/** What is taken off by requests of one removal, a UUID, can be put back together; left out: it is one of its own. */
export type TransferRemoval = TransferSelection & { readonly removal?: string }

export interface EnqueueUploads extends BucketAddress {
  /** Prepended to each file's name; empty or ending in `/`. */
  readonly prefix: string
  /** Absolute paths of files or folders. */
  readonly paths: readonly string[]
  /** What to do where another object has the key; left out: nothing yet, the result tells where. */
  readonly onConflict?: Conflict | undefined
  /** It waits for a person to resume it; left out: as the settings say. */
  readonly addsPaused?: boolean | undefined
}

export interface UploadComparing {
  /** Of the transfer, or of the multipart upload that is to be finished. */
  readonly id: string
  readonly comparedBytes: number
  readonly totalBytes: number
}

export interface EnqueueUploadFolder extends EnqueueUploads {
  /** What to do where another object has the key. What is proven equal is left alone anyway. */
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
  /** What an unfinished row downloads into the folder already is downloaded again, under another name. */
  readonly asCopies?: boolean | undefined
}

export interface RelinkDownload {
  readonly id: TransferId
  readonly url: string
}

export interface TakenUploads {
  readonly files: readonly TakenUpload[]
  /** False: the place did not answer, so some of them only may be taken. */
  readonly isCertain: boolean
}

/** A file whose name is taken, and what has it. */
export interface TakenUpload {
  readonly path: string
  readonly ours: FileVersion
  /** Null: what is there could not be seen in time. */
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
  /** What was not added, a sentence each ("notes.txt is already in the list"). */
  readonly skipped: readonly Message[]
  /** Files that were not added because their keys have objects: what is to become of those is to be asked. */
  readonly taken?: TakenUploads
  /** What was in the list already and goes on. */
  readonly continued?: readonly { readonly name: string; readonly confirmedBytes: number }[]
  /** What was added though an upload of the same file to another key of the place is unfinished: that one. */
  readonly elsewhere?: readonly { readonly name: string; readonly key: string; readonly confirmedBytes: number }[]
  /** Rows to be shown, for what was given is theirs: new ones, those that go on with it, those that had it before. */
  readonly ids?: readonly TransferId[]
  /** Asks for what was left out because unfinished rows download it already. */
  readonly copies?: EnqueueDownloads
}

/** Why a request was refused; `message` is for people, by `refusalWords`. */
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
