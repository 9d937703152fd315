import type { ListedObject } from '../../../../shared/place/place.ts'
import type { PlannedFile, SentFile } from '../../core/records.ts'
import type { RetryPolicy } from '../../core/retry-policy.ts'
import type { FolderReporter, UploadFolderContext } from '../../core/run.ts'
import type { UploadLine } from '../../core/upload-line.ts'
import type { PartEtags } from '../../integrity/etag-trust.ts'
import type { JournalCommits } from '../journal-commits.ts'
import type { LeftAsFailed } from '../left-as-failed.ts'
import type { RequestSlots } from '../request-slots.ts'
import type { FolderTally } from '../tally.ts'
import type { SourceFiles } from './source-files.ts'

/** A file to be sent. */
export interface WantedFile extends PlannedFile {
  /** The file's place in the plan. */
  readonly number: number
  readonly key: string
  /** The object that has its key; null when there is none. */
  readonly there: ListedObject | null
}

/** Records which files were sent. */
export interface UploadFolderJournal extends JournalCommits {
  sent(file: SentFile): void
}

/** What the steps of one folder upload share. */
export interface UploadFolderRun {
  /** Its signal is also aborted by a failure that concerns all files. */
  readonly context: UploadFolderContext
  readonly retryPolicy: RetryPolicy
  readonly sources: SourceFiles
  readonly tally: FolderTally
  readonly journal: UploadFolderJournal
  readonly left: LeftAsFailed
  readonly slots: RequestSlots
  /** The line to the service, which the run shares with other uploads. */
  readonly line: UploadLine
  /** What the ETags of objects put in one request have shown so far. */
  readonly etags: PartEtags
  /** Keys that files got because their own were taken, with the files' numbers. */
  readonly givenKeys: Map<string, number>
  /** Makes the `finishing` of one of the folder's inner runs. All of them count together. */
  readonly finishing: () => FolderReporter['finishing']
  /** Absolute path of a file of the plan. */
  pathOf(name: string): string
  /** Judges a failure: waits and returns false to try again, or returns true to fail the file. Throws what ends all. */
  givesUp(file: WantedFile, failure: unknown): Promise<boolean>
}
