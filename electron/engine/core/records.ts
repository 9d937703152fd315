// What the database keeps of a transfer.

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

/** Where an object is. A link is kept as it was given, so that its redirects are followed anew on resume. */
export type StoreLocation =
  | { readonly kind: 'place'; readonly placeId: PlaceId; readonly bucket: string }
  | {
      readonly kind: 'link'
      /** Without a user name or password; sealed while the keyring can't be opened. */
      readonly url: string
      /** What stands for a sign-in where stores are opened, never the sign-in itself; left out: there is none. */
      readonly signIn?: string | undefined
    }

/**
 * Which file an upload reads, to notice that it became another one. Times in nanoseconds and ids as decimal strings,
 * because they don't fit a double.
 */
export interface SourceIdentity {
  readonly device: string
  readonly fileId: string
  readonly sizeBytes: number
  readonly modifiedNs: string
  readonly changedNs: string
}

/** The version of an object that a download is bound to. Every response must show the same. */
export interface ObjectIdentity {
  readonly sizeBytes: number
  readonly etag: string | null
  readonly lastModified: string | null
  /** Nothing tells this version from another: its bytes are of one answer and can't be joined with those of a next. */
  readonly isWeak?: boolean | undefined
  /** Its size is only what came until the connection closed: nothing tells whether that is all. */
  readonly isOpenEnded?: boolean | undefined
}

/** The statuses that survive a restart. Whatever ran when the process ended is `running` and goes on by itself. */
export type DurableStatus = 'queued' | 'running' | 'paused' | 'completed' | 'failed' | 'canceled'

interface CommonRecord {
  readonly id: TransferId
  /** Queue order, ascending. */
  readonly position: number
  readonly location: StoreLocation
  readonly key: string
  readonly status: DurableStatus
  readonly error: TransferErrorInfo | null
  readonly verification: Verification | null
  /** Why it is `size-only`, where that is known. */
  readonly proofLack?: ProofLack | undefined
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
  readonly activeMs: number
  /** Bandwidth limit of this transfer, bytes a second. */
  readonly limitBytesPerSecond?: number | null | undefined
  /** The server asked not to be asked before, milliseconds since the epoch. */
  readonly retryAtMs?: number | null | undefined
  /** A person canceled it and it is not discarded yet: it is not continued, whatever happens. */
  readonly isCanceling?: boolean | undefined
  /** A person had it start over, which waits for its run, or for how its upload ended. */
  readonly startsOver?: boolean | undefined
}

export interface UploadRecord extends CommonRecord {
  readonly direction: 'upload'
  /** Absolute path. */
  readonly sourcePath: string
  /** Null until the upload is planned. */
  readonly source: SourceIdentity | null
  /** Frozen before the first byte is sent; null until planned. One part of 0 parts: a single PutObject. */
  readonly plan: { readonly partSizeBytes: number; readonly partCount: number } | null
  readonly uploadId: string | null
  /**
   * Unfinished uploads of the key just before ours was asked for, durable before the request: one that is there after a
   * lost answer and is none of them is ours. Null: not asked for yet, or the service doesn't list them.
   */
  readonly uploadsBefore?: readonly string[] | null | undefined
  /** What the object will carry as metadata, where the service keeps it: no other client's upload has it. */
  readonly token?: string | undefined
  /** Durable before Complete (or the single PutObject) is sent: from here on the outcome can be unknown. */
  readonly intent: CompletionIntent | null
  /**
   * What is to become of another object that has the key. `fail`: it stays, and the upload fails, whenever it came
   * there.
   */
  readonly onConflict: UploadRecordConflict
  /** A person decided that a new multipart upload is begun, whatever unfinished ones of the key there are. */
  readonly isNewUpload?: boolean | undefined
  /**
   * It completes parts that others sent, as the parts list at `sourcePath` names them: there is no file to send more
   * of.
   */
  readonly isPartsOnly?: boolean | undefined
  /** The folder upload that it is part of, if it is one: then it has no row of its own. */
  readonly folderId?: TransferId | undefined
}

/** `fail` where the key was seen free, or could not be looked at; `replace` where a person chose that. */
export type UploadRecordConflict = 'replace' | 'fail'

/** A version of an object as a look at its key showed it. */
export interface SeenVersion extends Pick<ObjectIdentity, 'etag' | 'lastModified'> {
  /** Null: the service did not tell. */
  readonly sizeBytes: number | null
}

/** What will prove, after any interruption, whether our Complete made the object. */
export interface CompletionIntent {
  /** Null: not known, because the service's ETags are no MD5s. */
  readonly expectedEtag: string | null
  readonly sizeBytes: number
  /** The object at the key before; null: none. */
  readonly baseline: SeenVersion | null
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[]
  /** Server clock at intent, milliseconds since the epoch. */
  readonly serverTimeMs: number
  /** What the object carries if it is ours; left out where it carries nothing. */
  readonly token?: string | undefined
}

/** What to do when a file has the target's name already. */
export type OnConflict = Exclude<Conflict, 'skip'> | 'fail'

export interface DownloadRecord extends CommonRecord {
  readonly direction: 'download'
  /** Absolute path of the finished file; chosen again on a clash when `onConflict` is `keep-both`. */
  readonly targetPath: string
  readonly onConflict: OnConflict
  /** Real path of the folder that nothing is written outside of; left out until it is known. */
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
   * Absolute path of a partial file that this user did not write and whose bytes may be used: until the whole object is
   * proven, nothing that is here is. Left out: all bytes came over the wire.
   */
  readonly borrowedFrom?: string | undefined
  /** The folder download that it is part of, if it is one: then it has no row of its own. */
  readonly folderId?: TransferId | undefined
}

/** Everything under a prefix (`key`), downloaded as one transfer. */
export interface FolderRecord extends CommonRecord {
  readonly direction: 'folder'
  /** Absolute path of the folder. */
  readonly targetPath: string
  /** Real path of the folder that it must be inside of. */
  readonly root?: string | undefined
  /** Whatever it says, a file that is proven to be the object is left alone; `skip` leaves all others alone too. */
  readonly onConflict: OnConflict | 'skip'
  /** As of the last commit; null before the first. */
  readonly counts: FolderCounts | null
  /** Some of those that the last run did not download, as it ended. */
  readonly failures?: readonly ItemFailure[] | undefined
}

/** How far a folder download is. */
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
  /** The time that the file was given, seconds since the epoch; null: none. */
  readonly modifiedSeconds: number | null
}

/** Files and folders uploaded below a prefix (`key`, empty or ending in `/`) as one transfer. */
export interface UploadFolderRecord extends CommonRecord {
  readonly direction: 'upload-folder'
  /** Absolute paths of what was dropped; no two have the same name. */
  readonly sourcePaths: readonly string[]
  /** Where another object has a key. Whatever it says, an object that is proven to be the file is left alone. */
  readonly onConflict: Conflict
  /** What is to be sent, durable before the first byte; null until it is found out. */
  readonly planned: UploadFolderSums | null
  /** As of the last commit; null before the first. */
  readonly counts: FolderCounts | null
  /** Some of those that the last run did not upload, as it ended. */
  readonly failures?: readonly ItemFailure[] | undefined
}

/** What a folder upload comes to. */
export interface UploadFolderSums {
  readonly files: number
  readonly sizeBytes: number
  /** They leave no trace: there are no objects for folders. */
  readonly emptyFolders: number
  readonly skipped: SkippedSums
}

/** A file of a folder upload, as it was when it was found. */
export interface PlannedFile {
  /** Its path below what was dropped, that one's name first, separated by `/`: what follows the prefix in its key. */
  readonly name: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch, with fractions. */
  readonly modifiedMs: number
}

/** Consecutive files of a plan. */
export interface PlanPage {
  /** Number of its first file; the first of all is 0. */
  readonly first: number
  readonly files: readonly PlannedFile[]
}

/** A file of a folder upload whose object is there: the version that was sent. */
export interface SentFile {
  readonly number: number
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** What tells the empty file that holds a final name from one that somebody else put there. */
export interface Placeholder {
  /** Inode number, a decimal string. */
  readonly fileId: string
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number
}

export interface Publishing {
  readonly finalPath: string
  /** An empty file may hold the name meanwhile, where there are no hard links. */
  readonly isPlaceholder?: boolean | undefined
  /** That file, once it is made. */
  readonly placeholder?: Placeholder | undefined
  /** Inode number of the partial file, a decimal string: the file keeps it under its final name. */
  readonly fileId?: string | undefined
  /** The time that the file has, milliseconds since the epoch: not every file system can keep the object's. */
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

export interface DueAbort {
  readonly location: StoreLocation
  readonly key: string
  readonly uploadId: string
  /** The service refused it, and that was told. */
  readonly isRefused?: boolean | undefined
}

/** How a file is cut. Parts are equal but for the last; 0 parts: one PutObject of the whole file. */
export interface UploadPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/** What is kept of a transfer's past, bounded: see TransferHistory. */
export interface KeptHistory {
  /** Latest last. */
  readonly entries: readonly TransferLogEntry[]
  /** Bytes a second, oldest first; null where nothing was to move. */
  readonly samples: readonly (number | null)[]
  /** What a sample stands for, milliseconds. */
  readonly stepMs: number
  readonly movedBytes: number
  readonly activeMs: number
  readonly peakBytesPerSecond: number
  readonly keptAtMs: number
}
