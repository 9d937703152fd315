import type { EngineDeps, FileSystem } from './deps.ts'
import type { DownloadRecord, DueAbort, FolderRecord, UploadFolderRecord, UploadRecord } from './records.ts'
import type { FolderContext, RunContext, RunOutcome, UploadFolderContext } from './run.ts'

/** What the engine runs. Given to it, so that its own behaviour can be tested without a byte being moved. */
export interface Runs {
  upload(context: RunContext<UploadRecord>): Promise<RunOutcome>
  download(context: RunContext<DownloadRecord>): Promise<RunOutcome>
  folder(context: FolderContext): Promise<RunOutcome>
  uploadFolder(context: UploadFolderContext): Promise<RunOutcome>
  /**
   * Finds out how an upload with an intent ended, without completing it. `stopped`: it did not make the object, and the
   * intent is withdrawn unless the signal was aborted. `failed`: it can't be found out.
   */
  settleUpload(context: RunContext<UploadRecord>): Promise<RunOutcome>
  /** Deletes what a download left on disk beside its target. What is missing already is no error. */
  discardDownload(record: DownloadRecord, fileSystem: FileSystem): Promise<void>
  /** The same for a folder download and for the downloads that are part of it. Finished files stay. */
  discardFolder(record: FolderRecord, deps: EngineDeps): Promise<void>
  /** Gives the uploads of a folder upload to `abort`, which makes sure of it. Objects that are there stay. */
  discardUploadFolder(
    record: UploadFolderRecord,
    deps: EngineDeps,
    abort: (due: DueAbort) => Promise<void>,
  ): Promise<void>
}
