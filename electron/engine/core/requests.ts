// What the engine may be asked to do, and its options. Every request becomes a record before anything else happens.

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

/** The transfers that a command is for; ids of no transfer are ignored. */
export type TransferSelection = readonly TransferId[] | 'all'

/** How the engine works until it gets other options. */
export interface EngineOptions {
  /** Transfers at a time, 1 or more. */
  readonly activeTransfers: number
  /** Requests of one transfer at a time, 1 or more; null: as many as pay. */
  readonly connectionsPerTransfer: number | null
  readonly limits: RateLimits
  /** Part size of new uploads in bytes; null: planned by size. */
  readonly partSizeBytes: number | null
  /** Whether new transfers wait for a person to resume them. If left out, they wait for their turn. */
  readonly addsPaused?: boolean
  /** Fail with `gave-up-waiting` after this long without progress; null: never. */
  readonly giveUpAfterMs: GiveUpAfter
}

/** How a request is added to the list. */
export interface Adding {
  /** Whether it waits for a person to resume it. If left out, the engine's options decide. */
  readonly isPaused?: boolean | undefined
}

export interface UploadRequest {
  readonly location: StoreLocation
  readonly key: string
  /** Absolute path. */
  readonly sourcePath: string
  /** `fail`: the key was seen free, or could not be looked at, so no object there is replaced without asking. */
  readonly onConflict: UploadRecordConflict
  /** An unfinished upload on the service that this one continues: its proven parts are not sent again. */
  readonly adopt?: UploadMatch
  /** All parts were sent by others; `sourcePath` is the parts list that names them. */
  readonly completes?: ListedCompletion
}

export interface DownloadRequest {
  readonly location: StoreLocation
  readonly key: string
  /** Absolute path of the finished file. */
  readonly targetPath: string
  readonly onConflict: OnConflict
  /**
   * Real path of the chosen folder: no byte is written outside it. If left out, it is the target's folder at the start.
   */
  readonly root?: string
}

export interface FolderRequest {
  readonly location: StoreLocation
  /** Empty, or ends in `/`: what follows it in a key is the path below the folder. */
  readonly prefix: string
  /** Absolute path of the folder, which is made if missing. */
  readonly targetPath: string
  /** Real path of the chosen folder, if the folder is made inside one: no byte is written outside it. */
  readonly root?: string
  /** For each file whose name another file has; a file that is proven equal is left alone anyway. */
  readonly onConflict: OnConflict | 'skip'
}

export interface UploadFolderRequest {
  readonly location: StoreLocation
  /** Empty, or ends in `/`: each file's key is this, the name of what was dropped, and its path below that. */
  readonly prefix: string
  /** Absolute paths of files and folders; no two may have the same name. */
  readonly sourcePaths: readonly string[]
  /** For each file whose key another object has; an object that is proven equal is left alone anyway. */
  readonly onConflict: Conflict
}

/** What it takes to complete an upload that others sent as one of our transfers. */
export interface ListedCompletion {
  readonly uploadId: string
  readonly plan: UploadPlan
  readonly parts: readonly PartRecord[]
  readonly intent: CompletionIntent
}

/** An unfinished upload on the service, compared with a local file. */
export interface UploadMatch {
  readonly uploadId: string
  /** ISO 8601; null if the service does not tell. */
  readonly initiated: string | null
  readonly source: SourceIdentity
  readonly plan: UploadPlan
  /** Parts whose bytes are those of the file: same size, and the ETag is the MD5 of the local bytes. */
  readonly proven: readonly PartRecord[]
  /** Parts of the plan that have other bytes; they would be sent again. */
  readonly differing: readonly number[]
  /** False if a part's ETag can't be compared with local bytes: then parts listed as differing may still be equal. */
  readonly isProvable: boolean
}
