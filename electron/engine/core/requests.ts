// What may be asked of the engine, and how it is to work. Every request becomes a record before anything else happens.

import type { Conflict } from '../../../shared/conflict.ts'
import type { RateLimits } from '../../../shared/settings.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type {
  CompletionIntent,
  OnConflict,
  PartRecord,
  SourceIdentity,
  StoreLocation,
  UploadPlan,
  UploadRecordConflict,
} from './records.ts'
import type { GiveUpAfter } from './retry-policy.ts'

/** Transfers that a command is for; ids of none are passed over. */
export type TransferSelection = readonly TransferId[] | 'all'

/** How the engine works, until it is told otherwise. */
export interface EngineOptions {
  /** Transfers at a time, 1 or more. */
  readonly activeTransfers: number
  /** Requests of one transfer at a time, 1 or more; null: as many as pay. */
  readonly connectionsPerTransfer: number | null
  readonly limits: RateLimits
  /** Part size of new uploads in bytes; null: planned by size. */
  readonly partSizeBytes: number | null
  /** What is added waits for a person to resume it; left out: for its turn. */
  readonly addsPaused?: boolean
  /** Fail with `gave-up-waiting` after this long without progress; null: never. */
  readonly giveUpAfterMs: GiveUpAfter
}

/** How what is asked for is added to the list. */
export interface Adding {
  /** It waits for a person to resume it; left out: as the options of the engine say. */
  readonly isPaused?: boolean | undefined
}

export interface UploadRequest {
  readonly location: StoreLocation
  readonly key: string
  /** Absolute path. */
  readonly sourcePath: string
  /** `fail`: the key was seen free, or could not be looked at, so that no object there is replaced unasked. */
  readonly onConflict: UploadRecordConflict
  /** An unfinished upload of the service that this one continues: its proven parts are not sent again. */
  readonly adopt?: UploadMatch
  /** Parts that others sent and that are all there is: `sourcePath` is the list that names them. */
  readonly completes?: ListedCompletion
}

export interface DownloadRequest {
  readonly location: StoreLocation
  readonly key: string
  /** Absolute path of the finished file. */
  readonly targetPath: string
  readonly onConflict: OnConflict
  /**
   * Real path of the folder that was chosen: no byte is written outside it. Left out: the target's, as it is at first.
   */
  readonly root?: string
}

export interface FolderRequest {
  readonly location: StoreLocation
  /** Empty, or ending in `/`: keys are placed by what follows it. */
  readonly prefix: string
  /** Absolute path of the folder; made where it is missing. */
  readonly targetPath: string
  /** Real path of the folder that was chosen, if the folder is made inside one: no byte is written outside it. */
  readonly root?: string
  /** For each file whose name is taken by another one; what is proven equal is left alone anyway. */
  readonly onConflict: OnConflict | 'skip'
}

export interface UploadFolderRequest {
  readonly location: StoreLocation
  /** Empty, or ending in `/`: each file's key is this, the name of what was dropped, and its path below that. */
  readonly prefix: string
  /** Absolute paths of files and folders; no two may have the same name. */
  readonly sourcePaths: readonly string[]
  /** For each file whose key is taken by another object; what is proven equal is left alone anyway. */
  readonly onConflict: Conflict
}

/** What completes an upload that others sent, so that it can be one of our transfers. */
export interface ListedCompletion {
  readonly uploadId: string
  readonly plan: UploadPlan
  readonly parts: readonly PartRecord[]
  readonly intent: CompletionIntent
}

/** An unfinished upload of the service, compared with a local file. */
export interface UploadMatch {
  readonly uploadId: string
  /** ISO 8601; null when the service does not tell. */
  readonly initiated: string | null
  readonly source: SourceIdentity
  readonly plan: UploadPlan
  /** Parts whose bytes are those of the file: same size, and the ETag is the MD5 of the local bytes. */
  readonly proven: readonly PartRecord[]
  /** Parts of the plan that have other bytes; they would be sent again. */
  readonly differing: readonly number[]
  /** False when a part's ETag can't be compared with local bytes: then what differs may be equal all the same. */
  readonly isProvable: boolean
}
