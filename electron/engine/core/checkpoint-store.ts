import type { ItemFailure, TransferId } from '../../../shared/transfer/transfer.ts'
import type {
  DownloadRecord,
  DueAbort,
  DurableStatus,
  FolderItem,
  KeptHistory,
  PartRecord,
  PlanPage,
  RangeRecord,
  SentFile,
  TransferChanges,
  TransferRecord,
  UploadRecord,
} from './records.ts'
import { isNoSpace, isReadOnly } from '../../errno/errno.ts'

/** The top of a list that is too long to be read at once. */
export interface ListTop {
  /** In groups as the window shows them, each in queue order; finished transfers latest first. */
  readonly records: readonly TransferRecord[]
  /** How many transfers there are of each status. */
  readonly counts: readonly { readonly status: DurableStatus; readonly count: number }[]
}

/**
 * The durable state of the queue. Each method is one transaction that is on disk when its promise resolves
 * (`synchronous=FULL`). A claim may lag the data, never lead it.
 */
export interface CheckpointStore {
  /** All readable records in queue order; damaged ones are set aside and only counted. */
  load(): Promise<{ readonly records: readonly TransferRecord[]; readonly setAside: number }>
  /** Up to `count` records from the top of a long list, to show while `load` runs. Null if it is short or damaged. */
  top(count: number): Promise<ListTop | null>
  insert(records: readonly TransferRecord[]): Promise<void>
  update(id: TransferId, changes: TransferChanges): Promise<void>
  remove(ids: readonly TransferId[]): Promise<void>

  parts(id: TransferId): Promise<readonly PartRecord[]>
  putParts(id: TransferId, parts: readonly PartRecord[]): Promise<void>
  removeParts(id: TransferId, partNumbers: readonly number[] | 'all'): Promise<void>

  ranges(id: TransferId): Promise<readonly RangeRecord[]>
  putRanges(id: TransferId, ranges: readonly RangeRecord[]): Promise<void>
  /** Removes the ranges that start at `starts`. */
  removeRanges(id: TransferId, starts: readonly number[] | 'all'): Promise<void>

  /** The finished objects of a folder download, a page at a time, in the order they finished. */
  items(id: TransferId): AsyncIterable<readonly FolderItem[]>
  /** Adds finished objects; one replaces an earlier one of the same key. */
  addItems(id: TransferId, items: readonly FolderItem[]): Promise<void>
  removeItems(id: TransferId): Promise<void>
  /** The downloads that are part of a folder download. */
  downloadsOf(folderId: TransferId): Promise<readonly DownloadRecord[]>

  /** What a folder upload will send, a page at a time, in order. */
  plan(id: TransferId): AsyncIterable<PlanPage>
  addToPlan(id: TransferId, page: PlanPage): Promise<void>
  /** What it has sent, a page at a time, in the order recorded; of entries with the same number the last one counts. */
  sent(id: TransferId): AsyncIterable<readonly SentFile[]>
  addSent(id: TransferId, files: readonly SentFile[]): Promise<void>
  /** Files that failed in the latest run of a folder transfer, a page at a time. */
  failed(id: TransferId): AsyncIterable<readonly ItemFailure[]>
  addFailed(id: TransferId, failures: readonly ItemFailure[]): Promise<void>
  removeFailed(id: TransferId): Promise<void>
  /** Forgets the plan, and which of its files were sent and failed. */
  removePlan(id: TransferId): Promise<void>
  /** The uploads that are part of a folder upload. */
  uploadsOf(folderId: TransferId): Promise<readonly UploadRecord[]>

  /** The histories of these transfers, as far as there are any that can be read. */
  histories(ids: readonly TransferId[]): Promise<ReadonlyMap<TransferId, KeptHistory>>
  /** Ignores histories of transfers that are gone. */
  putHistories(histories: readonly { readonly id: TransferId; readonly history: KeptHistory }[]): Promise<void>

  /** Uploads that must still be aborted; kept until `abortDone`. */
  abortsDue(): Promise<readonly DueAbort[]>
  addAbort(abort: DueAbort): Promise<void>
  abortDone(uploadId: string): Promise<void>

  /** Small named values, such as what was learned about services. JSON text. */
  getValue(name: string): Promise<string | null>
  setValue(name: string, json: string): Promise<void>

  /** True if the last process that wrote here did not end with `close`: then claims are checked before they count. */
  readonly afterUncleanStop: boolean
  close(): Promise<void>
}

/**
 * The disk that holds the list of transfers is full or read-only: nothing can be recorded, so nothing may go on. The
 * code is that of the file system, so callers treat it like the same refusal of the target's disk.
 */
export class StateUnwritable extends Error {
  readonly code: string
  /** The folder with the list. */
  readonly path: string

  constructor(code: 'ENOSPC' | 'EROFS', path: string, cause: unknown) {
    super(`The disk that holds ${path} is full or read-only`, { cause })
    this.name = 'StateUnwritable'
    this.code = code
    this.path = path
  }

  /**
   * What a refusal of the file system means for the state in `path`; null unless the disk is full or read-only. `cause`:
   * what failed because of it.
   */
  static of(refusal: unknown, path: string, cause: unknown = refusal): StateUnwritable | null {
    if (isNoSpace(refusal)) return new StateUnwritable('ENOSPC', path, cause)
    return isReadOnly(refusal) ? new StateUnwritable('EROFS', path, cause) : null
  }
}
