import type { RetryCause } from '../../../shared/transfer/milestones.ts'
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
  /** What a long list begins with, to be seen while `load` reads all of it; null: it is short. Call it before `load`. */
  firstLook(): Promise<TransferSnapshot | null>
  /**
   * Reads the checkpoints and continues what was running. Call once, before anything else; nothing is started before.
   * `isPaused`: nothing goes on before a person says so.
   * @returns how many damaged records were set aside.
   */
  load(options?: { readonly isPaused?: boolean }): Promise<{ readonly setAside: number }>
  /** Adds uploads at the end of the queue; resolves when they are durable. Ids in the order of the requests. */
  enqueueUploads(requests: readonly UploadRequest[], adding?: Adding): Promise<readonly TransferId[]>
  enqueueDownloads(requests: readonly DownloadRequest[], adding?: Adding): Promise<readonly TransferId[]>
  /** Adds everything under a prefix as one transfer. */
  enqueueFolder(request: FolderRequest, adding?: Adding): Promise<TransferId>
  /** Adds files and everything below folders as one upload. */
  enqueueUploadFolder(request: UploadFolderRequest, adding?: Adding): Promise<TransferId>

  /** Reads what a partial file, or its sidecar, belongs to. Changes nothing. Throws AdoptionRefused. */
  inspectPartial(path: string): Promise<FoundPartial>
  /**
   * Adds a download that goes on with a partial file of another list, or of one that was lost. Its bytes count once
   * they fit what its sidecar says of them. A file that another user or computer wrote is copied, stays as it is, and
   * its bytes count only where a hash of the whole object proves them. `request` tells where the object is for this
   * list. Throws AdoptionRefused.
   */
  adoptPartial(path: string, request: DownloadRequest): Promise<TransferId>

  /**
   * Bulk commands, this and the next ones; ids they don't apply to are left as they are. Pausing lets end what can
   * within PAUSE_FINISH_MS; asked again while all of `ids` do nothing but that, it stops them at once.
   */
  pause(ids: TransferSelection): Promise<void>
  resume(ids: TransferSelection): Promise<void>
  /** Continues failed transfers, and ends the wait of waiting ones. `cause`: what their history says; left out: a person. */
  retry(ids: TransferSelection, cause?: RetryCause): Promise<void>
  /**
   * Drops what is transferred and begins again from the file or object as it is now. An upload that ended because its
   * file changed keeps the parts that the file still has.
   */
  startOver(ids: TransferSelection): Promise<void>
  /**
   * Gives an unfinished download from a link a fresh one, http or https, and what stands for its sign-in, and goes on.
   * What is there is kept: if the fresh link's first answer is not of the same object (strong ETag and size), the row
   * fails with `another-object`.
   * @returns false where it does not apply: another kind of transfer, or one that is over.
   */
  relink(id: TransferId, url: string, signIn?: string): Promise<boolean>
  /** Begins failed transfers anew in another bucket of their place; others are left as they are. */
  rebucket(ids: TransferSelection, bucket: string): Promise<void>
  /**
   * Decides about an upload of which nothing is on the service yet (`earlier-upload`): it continues `match`, or with
   * null begins a new one whatever unfinished ones there are.
   * @returns false where it does not apply: another kind of transfer, or one that has begun.
   */
  decideUpload(id: TransferId, match: UploadMatch | null): Promise<boolean>
  /** Aborts an unfinished upload that is in no row. Resolves when that is durable; it is repeated until it is true. */
  discardUpload(upload: DueAbort): Promise<void>
  /** Whether an upload is being aborted. False also once the service has refused that: it stays until the next start. */
  isDiscarding(uploadId: string): boolean
  /**
   * Tells once, over restarts too, of each upload that the service refuses to abort: its parts stay there. One listener,
   * which must be quick; set it before `load`.
   */
  onNotDiscarded(listener: OnRefused): void
  /** Stops and discards: the multipart upload is aborted (durably, until it is true), the partial file deleted. */
  cancel(ids: TransferSelection): Promise<void>
  /**
   * Takes completed, failed and canceled rows off the list. A failed one is canceled first. What goes by the same name
   * of a removal can be put back together.
   */
  remove(ids: TransferSelection, removal?: string): Promise<void>
  /** The same, but nothing of it can be put back. */
  clear(ids: TransferSelection): Promise<void>
  /**
   * Takes unfinished transfers off the list and leaves what they have transferred where it is: parts at the service,
   * partial files here.
   */
  letGo(ids: TransferSelection, removal?: string): Promise<void>
  /**
   * Puts back what a removal took off, as it was then, null: what the latest one did; nothing where that was done before.
   * The latest one is always known, earlier ones as long as they are not too many rows.
   */
  restore(removal?: string | null): Promise<void>
  /**
   * Brings transfers together right before another one in the queue, or to its end where that is null, in their order
   * of now. It is kept over a restart.
   */
  move(ids: readonly TransferId[], before: TransferId | null): Promise<void>
  /**
   * Starts queued and paused transfers, up to 16 of them however many run; what can't start at once is first in line, in
   * its order.
   */
  startNow(ids: TransferSelection): Promise<void>
  /** Limits each of these transfers, now and after a restart; null: only the limits they share with others. */
  setLimit(ids: TransferSelection, bytesPerSecond: number | null): Promise<void>

  /** All rows as they are now. The next delta may tell some of it again, which changes nothing when folded in. */
  snapshot(): TransferSnapshot
  /** One of them; null: there is no such transfer. */
  row(id: TransferId): TransferRow | null
  /** The transfers of the multipart uploads that are begun, by upload id. Only what is in memory is looked at. */
  uploadsBegun(): ReadonlyMap<string, TransferId>
  /** What changed since the last call, or null. The publisher pulls at frame rate; workers never push. */
  takeDelta(): TransferDelta | null
  /** Tells that there is something for `takeDelta`, once until that is called. One listener, which must be quick. */
  onChange(listener: () => void): void
  /** Nothing runs or is to be written: rows and details change only as `onChange` tells, not with time. */
  readonly isAtRest: boolean
  /** What the inspector shows of a transfer; null: there is no such transfer. What was kept of its past is read, and told as a change. */
  details(id: TransferId): TransferDetails | null
  /** The first failed files of a folder transfer, as of its latest run. Only what is in memory is looked at. */
  failuresOf(id: TransferId): readonly ItemFailure[]
  /** Files of a folder transfer; null where `id` is none. Reads the plan when it is first asked. */
  filesOf(query: FolderFilesQuery): Promise<FolderFiles | null>
  /**
   * Tries one failed file of a folder transfer again; others that failed stay so. While the transfer runs it is tried
   * once that is over.
   */
  retryFile(file: FolderFileName): Promise<void>
  /** Where a file of a folder transfer is on this computer, or would be; null: no such transfer, or outside its folder. */
  localPathOf(file: FolderFileName): Promise<string | null>

  configure(options: EngineOptions): void
  /**
   * The machine goes to sleep: running transfers stop as for a pause, without becoming paused, within `finishMs` (left
   * out: at once). Called again it can only make them stop sooner.
   */
  suspend(finishMs?: number): Promise<void>
  /** The machine woke up: they continue. The connections of the stores are dropped before. */
  wake(): void
  /** A running transfer waits for the network, not for the server. */
  readonly isWaitingForNetwork: boolean
  /** Resolves once nothing is queued or running, and no abort is being tried. */
  idle(): Promise<void>
  /**
   * Stops what runs as `suspend` does, keeps everything durable, and closes the checkpoint store, which marks a clean
   * stop. Called again it can only make them stop sooner.
   */
  close(finishMs?: number): Promise<void>
}
