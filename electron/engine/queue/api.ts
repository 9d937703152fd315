import type { PauseCause, ResumeCause, RetryCause } from '../../../shared/transfer/milestones.ts'
import type { TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../../../shared/transfer/folder-file.ts'
import type { ItemFailure, TransferDetails, TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import type { DueAbort } from '../core/records.ts'
import type {
  Adding,
  DownloadRequest,
  EngineOptions,
  FolderRequest,
  TransferSelection,
  UploadFolderRequest,
  UploadMatch,
  UploadRequest,
} from '../core/requests.ts'
import type { FoundPartial } from '../partial-file/adopt-partial.ts'
import type { OnRefused } from '../upload/abort-queue.ts'

/** The transfers of one state folder. Made by `createEngine(deps, options)`. */
export interface Engine {
  /** The top of a long list, to show while `load` reads all of it; null for a short list. Call it before `load`. */
  firstLook(): Promise<TransferSnapshot | null>
  /**
   * Reads the checkpoints and continues what was running. Call it once, before anything else; nothing starts before it.
   * With `isPaused` nothing continues until a person says so.
   * @returns how many damaged records were set aside.
   */
  load(options?: { readonly isPaused?: boolean }): Promise<{ readonly setAside: number }>
  /** Adds uploads at the end of the queue. Resolves with their ids, in the requests' order, once they are durable. */
  enqueueUploads(requests: readonly UploadRequest[], adding?: Adding): Promise<readonly TransferId[]>
  enqueueDownloads(requests: readonly DownloadRequest[], adding?: Adding): Promise<readonly TransferId[]>
  /** Adds everything under a prefix as one transfer. */
  enqueueFolder(request: FolderRequest, adding?: Adding): Promise<TransferId>
  /** Adds files and everything below folders as one upload. */
  enqueueUploadFolder(request: UploadFolderRequest, adding?: Adding): Promise<TransferId>

  /** Reads what the partial file or sidecar at `path` belongs to. Changes nothing. Throws AdoptionRefused. */
  inspectPartial(path: string): Promise<FoundPartial>
  /**
   * Adds a download that continues a partial file of another list, or of a lost one. The file's bytes count once they
   * fit what its sidecar says. A file that another user or computer wrote is copied and stays as it is, and its bytes
   * count only if a hash of the whole object proves them. `request` tells where this list finds the object. Throws
   * AdoptionRefused.
   */
  adoptPartial(path: string, request: DownloadRequest): Promise<TransferId>

  /**
   * This and the next are bulk commands; ids that they don't apply to are left as they are. Pausing lets everything end
   * that can within PAUSE_FINISH_MS. Called again while all of `ids` are already pausing, it stops them at once. `cause`
   * is for their history, here and below; by default, a person.
   */
  pause(ids: TransferSelection, cause?: PauseCause): Promise<void>
  resume(ids: TransferSelection, cause?: ResumeCause): Promise<void>
  /** Continues failed transfers, and ends the waits of others. */
  retry(ids: TransferSelection, cause?: RetryCause): Promise<void>
  /**
   * Drops what was transferred and starts over from the file or object as it is now. An upload that failed because its
   * file changed keeps the parts that the file still has.
   */
  startOver(ids: TransferSelection): Promise<void>
  /**
   * Gives an unfinished download a fresh link (http or https), with what stands for its sign-in, and continues it. What
   * is here is kept: if the fresh link's first response is not for the same object (strong ETag and size), the row
   * fails with `another-object`.
   * @returns false if it does not apply: another kind of transfer, or one that is over.
   */
  relink(id: TransferId, url: string, signIn?: string): Promise<boolean>
  /** Starts failed transfers over in another bucket of their place; others are left as they are. */
  rebucket(ids: TransferSelection, bucket: string): Promise<void>
  /**
   * Decides for an upload that has nothing on the service yet (`earlier-upload`): it continues `match`, or with null
   * begins a new upload whatever unfinished ones there are.
   * @returns false if it does not apply: another kind of transfer, or one that has begun.
   */
  decideUpload(id: TransferId, match: UploadMatch | null): Promise<boolean>
  /** Aborts an unfinished upload that no row has. Resolves once that is durable; it is repeated until it is done. */
  discardUpload(upload: DueAbort): Promise<void>
  /** Whether an upload is being aborted. Also false if the service has refused that: it stays until the next start. */
  isDiscarding(uploadId: string): boolean
  /**
   * Reports each upload that the service refuses to abort, once, even over restarts: its parts stay there. One listener,
   * which must be quick; set it before `load`.
   */
  onNotDiscarded(listener: OnRefused): void
  /** Stops and discards: the multipart upload is aborted (durably, until it is done), the partial file deleted. */
  cancel(ids: TransferSelection): Promise<void>
  /**
   * Takes completed, failed and canceled rows off the list. A failed one is canceled first. Rows taken off under the
   * same `removal` can be put back together.
   */
  remove(ids: TransferSelection, removal?: string): Promise<void>
  /** Does the same as `remove`, but nothing can be put back. */
  clear(ids: TransferSelection): Promise<void>
  /**
   * Takes unfinished transfers off the list but leaves what they have transferred where it is: parts on the service,
   * partial files here.
   */
  letGo(ids: TransferSelection, removal?: string): Promise<void>
  /**
   * Puts back what a removal took off, as it was then; null stands for the latest removal. Does nothing if that was
   * done before. The latest removal is always remembered, earlier ones as long as they don't have too many rows.
   */
  restore(removal?: string | null): Promise<void>
  /**
   * Moves transfers together, in their present order, right before another one in the queue, or to the end if that is
   * null. The order survives a restart.
   */
  move(ids: readonly TransferId[], before: TransferId | null): Promise<void>
  /**
   * Starts queued and paused transfers, up to 16 however many are running. Those that can't start at once are first in
   * line, in their order.
   */
  startNow(ids: TransferSelection): Promise<void>
  /** Limits each of these transfers, now and after a restart; null leaves only the limits they share with others. */
  setLimit(ids: TransferSelection, bytesPerSecond: number | null): Promise<void>

  /** All rows as they are now. The next delta may repeat some of this, which changes nothing when folded in. */
  snapshot(): TransferSnapshot
  /** One row; null when there is no such transfer. */
  row(id: TransferId): TransferRow | null
  /** The transfers that have begun a multipart upload, by upload id. Looks only at what is in memory. */
  uploadsBegun(): ReadonlyMap<string, TransferId>
  /** What has changed since the last call, or null. The publisher pulls at frame rate; workers never push. */
  takeDelta(): TransferDelta | null
  /** Calls `listener` when `takeDelta` has something, once until that is called. One listener, which must be quick. */
  onChange(listener: () => void): void
  /** Whether nothing runs or waits to be written: rows and details then change only as `onChange` tells. */
  readonly isAtRest: boolean
  /** What the inspector shows of a transfer, null if there is none. Its kept past is read, and told as a change. */
  details(id: TransferId): TransferDetails | null
  /** The first failed files of a folder transfer in its latest run. Looks only at what is in memory. */
  failuresOf(id: TransferId): readonly ItemFailure[]
  /** Files of a folder transfer; null when `id` is not one. The first call reads the plan. */
  filesOf(query: FolderFilesQuery): Promise<FolderFiles | null>
  /**
   * Tries one failed file of a folder transfer again; other failed files stay failed. If the transfer is running, the
   * file is tried after that run.
   */
  retryFile(file: FolderFileName): Promise<void>
  /** Where a file of a folder transfer is, or would be; null: no such transfer, or the path is outside its folder. */
  localPathOf(file: FolderFileName): Promise<string | null>

  /**
   * Limits, and how many transfers run at a time, change at once. The rest holds for what is added, and for runs that
   * begin, from now on.
   */
  configure(options: EngineOptions): void
  /**
   * For when the machine goes to sleep: running transfers stop as for a pause, without becoming paused, within
   * `finishMs` (by default at once). A second call can only make them stop sooner.
   */
  suspend(finishMs?: number): Promise<void>
  /** For when the machine woke up: transfers continue. The caller drops the connections of the stores first. */
  wake(): void
  /** Whether a running transfer waits for the network, not for the server. */
  readonly isWaitingForNetwork: boolean
  /** Resolves once nothing is queued or running, and no abort is under way. */
  idle(): Promise<void>
  /**
   * Stops running transfers as `suspend` does, makes everything durable, and closes the checkpoint store, which marks a
   * clean stop. A second call can only make them stop sooner.
   */
  close(finishMs?: number): Promise<void>
}
