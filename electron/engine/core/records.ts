// What the database keeps of each transfer.

import type { ByteRange } from '../../../shared/byte-range.ts'
import type { Conflict } from '../../../shared/conflict.ts'
import type { PlaceId } from '../../../shared/place/place.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type {
  ItemFailure,
  ProofLack,
  SkippedSums,
  TransferId,
  TransferItems,
  TransferLogEntry,
  Verification,
} from '../../../shared/transfer/transfer.ts'

/** Where an object is. A link is kept as given, so that its redirects are followed anew on resume. */
export type StoreLocation =
  | { readonly kind: 'place'; readonly placeId: PlaceId; readonly bucket: string }
  | {
      readonly kind: 'link'
      /** Without user name or password; sealed while the keyring can't be opened. */
      readonly url: string
      /** Stands for a sign-in where stores are opened, but is never the sign-in itself; left out if there is none. */
      readonly signIn?: string | undefined
    }

/**
 * Identifies the file that an upload reads, to notice when it changes. Times in nanoseconds and ids are decimal
 * strings, because they don't fit a double.
 */
export interface SourceIdentity {
  readonly device: string
  readonly fileId: string
  readonly sizeBytes: number
  readonly modifiedNs: string
  readonly changedNs: string
}

/** The version of an object that a download is bound to. Every response must show the same one. */
export interface ObjectIdentity {
  readonly sizeBytes: number
  readonly etag: string | null
  /** HTTP date, as the service sent it. */
  readonly lastModified: string | null
  /** Nothing tells this version from others: bytes of one answer can't be joined with those of another. */
  readonly isWeak?: boolean | undefined
  /** Its size is only what came before the connection closed: nothing tells whether that is all. */
  readonly isOpenEnded?: boolean | undefined
}

/** The statuses that survive a restart. What ran when the process ended is still `running`, and goes on by itself. */
export type DurableStatus = 'queued' | 'running' | 'paused' | 'completed' | 'failed' | 'canceled'

/** Why what was transferred is not continued: a person canceled the transfer, or had it start over. */
export type GivenUp = 'cancel' | 'start-over'

interface CommonRecord {
  readonly id: TransferId
  /** Queue order, ascending. */
  readonly position: number
  readonly location: StoreLocation
  readonly key: string
  readonly status: DurableStatus
  readonly error: TransferErrorInfo | null
  readonly verification: Verification | null
  /** Why `verification` is `size-only`, if known. */
  readonly proofLack?: ProofLack | undefined
  /** Milliseconds since the epoch, like `finishedAtMs`, which is null until nothing more happens by itself. */
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
  /** How long its runs have taken together, milliseconds, without their waits. */
  readonly activeMs: number
  /** Bandwidth limit of this transfer, bytes a second. */
  readonly limitBytesPerSecond?: number | null | undefined
  /** Until when the server asked us to wait, milliseconds since the epoch. */
  readonly retryAtMs?: number | null | undefined
  /**
   * What a person decided waits for the run to end, or for the outcome of the upload: whatever happens, what was
   * transferred is not continued. Null or left out if it is.
   */
  readonly givenUp?: GivenUp | null | undefined
}

export interface UploadRecord extends CommonRecord {
  readonly direction: 'upload'
  /** Absolute path. */
  readonly sourcePath: string
  /** Null until the upload is planned. */
  readonly source: SourceIdentity | null
  /** Frozen before the first byte is sent; null until planned. */
  readonly plan: UploadPlan | null
  readonly uploadId: string | null
  /**
   * Unfinished uploads of the key just before ours was requested, durable before the request: after a lost answer, an
   * upload that is not among them is ours. Null if ours was not requested yet, or the service doesn't list uploads.
   */
  readonly uploadsBefore?: readonly string[] | null | undefined
  /** What the object will carry as metadata, if the service keeps it: no other client's upload has the same. */
  readonly token?: string | undefined
  /** Durable before Complete (or the single PutObject) is sent: from here on the outcome can be unknown. */
  readonly intent: CompletionIntent | null
  /**
   * What becomes of another object that has the key. `fail`: it stays and the upload fails, no matter when it got
   * there.
   */
  readonly onConflict: UploadRecordConflict
  /** A person decided to begin a new multipart upload, whatever unfinished ones of the key there are. */
  readonly isNewUpload?: boolean | undefined
  /**
   * It completes parts that others sent, as named by the parts list at `sourcePath`: there is no file from which to
   * send more.
   */
  readonly isPartsOnly?: boolean | undefined
  /** The folder upload that it is part of, if any: then it has no row of its own. */
  readonly folderId?: TransferId | undefined
}

/** `fail` if the key was seen free, or could not be looked at; `replace` if a person chose that. */
export type UploadRecordConflict = 'replace' | 'fail'

/** A version of an object as a look at its key showed it. */
export interface SeenVersion extends Pick<ObjectIdentity, 'etag' | 'lastModified'> {
  /** Null if the service did not tell. */
  readonly sizeBytes: number | null
}

/** What will prove, after any interruption, whether our Complete made the object. */
export interface CompletionIntent {
  /** Null if unknown because the service's ETags are not MD5s. */
  readonly expectedEtag: string | null
  readonly sizeBytes: number
  /** The object that was at the key before; null if there was none. */
  readonly baseline: SeenVersion | null
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[]
  /** Server clock at intent, milliseconds since the epoch. */
  readonly serverTimeMs: number
  /** What the object carries if it is ours; left out if it carries nothing. */
  readonly token?: string | undefined
}

/** What to do if a file already has the target's name. */
export type OnConflict = Exclude<Conflict, 'skip'> | 'fail'

export interface DownloadRecord extends CommonRecord {
  readonly direction: 'download'
  /** Absolute path of the finished file; chosen again on a clash when `onConflict` is `keep-both`. */
  readonly targetPath: string
  readonly onConflict: OnConflict
  /** Real path of the folder outside which nothing is written; left out until it is known. */
  readonly root?: string | undefined
  /** Null until the first answer. */
  readonly identity: ObjectIdentity | null
  /** Absolute path of the partial file; null until it is created. */
  readonly partialPath: string | null
  /** Set when all bytes are verified and the final name is being made. */
  readonly publishing: Publishing | null
  /** A fresh link was given and has not answered yet: if it leads to another object, nothing is dropped unasked. */
  readonly isRelinked?: boolean | undefined
  /**
   * Absolute path of a partial file that this user did not write and whose bytes may be used: none of them count as
   * proven until the whole object is. Left out if all bytes came over the wire.
   */
  readonly borrowedFrom?: string | undefined
  /** The folder download that it is part of, if any: then it has no row of its own. */
  readonly folderId?: TransferId | undefined
}

/** Everything under a prefix (`key`), downloaded as one transfer. */
export interface FolderRecord extends CommonRecord {
  readonly direction: 'folder'
  /** Absolute path of the folder. */
  readonly targetPath: string
  /** Real path of the folder that it must be inside. */
  readonly root?: string | undefined
  /** In any case a file that is proven to equal the object is left alone; `skip` leaves all others alone, too. */
  readonly onConflict: OnConflict | 'skip'
  /** As of the last commit; null before the first. */
  readonly counts: FolderCounts | null
  /** Some of the objects that the last run failed to download. */
  readonly failures?: readonly ItemFailure[] | undefined
}

/** How far a folder transfer has come. */
export interface FolderCounts extends TransferItems {
  /** Bytes of the objects that are done. */
  readonly doneBytes: number
  readonly totalBytes: number
}

/** An object of a folder download whose file is durable under its final name. */
export interface FolderItem {
  readonly key: string
  /** Below the folder, separated by `/`. */
  readonly path: string
  readonly sizeBytes: number
  readonly etag: string | null
  /** The time that the file was given, seconds since the epoch; null if none. */
  readonly modifiedSeconds: number | null
}

/** Files and folders uploaded below a prefix (`key`, empty or ending in `/`) as one transfer. */
export interface UploadFolderRecord extends CommonRecord {
  readonly direction: 'upload-folder'
  /** Absolute paths of what was dropped; no two have the same name. */
  readonly sourcePaths: readonly string[]
  /** If another object has a key. In any case an object that is proven to equal the file is left alone. */
  readonly onConflict: Conflict
  /** What will be sent, durable before the first byte; null until it is found out. */
  readonly planned: UploadFolderSums | null
  /** As of the last commit; null before the first. */
  readonly counts: FolderCounts | null
  /** Some of the files that the last run failed to upload. */
  readonly failures?: readonly ItemFailure[] | undefined
}

/** The totals of a folder upload. */
export interface UploadFolderSums {
  readonly files: number
  readonly sizeBytes: number
  /** Empty folders leave no trace: there are no objects for folders. */
  readonly emptyFolders: number
  readonly skipped: SkippedSums
}

/** A file of a folder upload, as it was when it was found. */
export interface PlannedFile {
  /** The name of what was dropped and the path below it, separated by `/`: what follows the prefix in the key. */
  readonly name: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch, with fractions. */
  readonly modifiedMs: number
}

/** Consecutive files of a plan. */
export interface PlanPage {
  /** Number of the page's first file; the first file of the plan is 0. */
  readonly first: number
  readonly files: readonly PlannedFile[]
}

/** A file of a folder upload whose object is there, as it was when it was sent. */
export interface SentFile {
  readonly number: number
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** Tells the empty file that holds a final name from one that somebody else put there. */
export interface Placeholder {
  /** Inode number, a decimal string. */
  readonly fileId: string
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number
}

/** How a verified download gets its final name: durable before the name exists. */
export interface Publishing {
  /** Absolute path. */
  readonly finalPath: string
  /** An empty file may hold the name meanwhile, on volumes without hard links. */
  readonly isPlaceholder?: boolean | undefined
  /** That empty file, once it is made. */
  readonly placeholder?: Placeholder | undefined
  /** Inode number of the partial file, a decimal string: the file keeps it under its final name. */
  readonly fileId?: string | undefined
  /** The time that the file got, milliseconds since the epoch: not every file system can keep the object's. */
  readonly modifiedMs?: number | undefined
}

export type TransferRecord = UploadRecord | DownloadRecord | FolderRecord | UploadFolderRecord

/** A part that the service has acknowledged and whose bytes were hashed here. */
export interface PartRecord {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly etag: string
  /** MD5 of the bytes sent, hex. */
  readonly md5: string
}

/** A range whose bytes are on disk (fdatasync) and their CRC-32. */
export interface RangeRecord extends ByteRange {
  readonly crc32: number
}

type Changes<R> = Partial<Omit<R, 'id' | 'direction'>>
export type TransferChanges =
  | Changes<UploadRecord>
  | Changes<DownloadRecord>
  | Omit<Changes<FolderRecord>, 'onConflict'>
  | Changes<UploadFolderRecord>

/** A multipart upload that is no longer wanted and may still be there. */
export interface DueAbort {
  readonly location: StoreLocation
  readonly key: string
  readonly uploadId: string
  /** The service refused it, and that was told. */
  readonly isRefused?: boolean | undefined
}

/** How a file is cut. All parts but the last are equal; 0 parts: one PutObject of the whole file. */
export interface UploadPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/** The part of a transfer's history that is kept, bounded: see TransferHistory. */
export interface KeptHistory {
  /** Latest last. */
  readonly entries: readonly TransferLogEntry[]
  /** Bytes a second, oldest first; null where nothing had to move. */
  readonly samples: readonly (number | null)[]
  /** The time that a sample covers, milliseconds. */
  readonly stepMs: number
  readonly movedBytes: number
  readonly activeMs: number
  readonly peakBytesPerSecond: number
  /** Milliseconds since the epoch. */
  readonly keptAtMs: number
}
