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

/** A file that is to be sent. */
export interface WantedFile extends PlannedFile {
  /** Its place in the plan. */
  readonly number: number
  readonly key: string
  /** What has its key; null: nothing. */
  readonly there: ListedObject | null
}

/** Records what is sent. */
export interface UploadFolderJournal extends JournalCommits {
  sent(file: SentFile): void
}

/** What the steps of one folder upload share. */
export interface UploadFolderRun {
  /** Its signal also ends when something concerns all files. */
  readonly context: UploadFolderContext
  readonly retryPolicy: RetryPolicy
  readonly sources: SourceFiles
  readonly tally: FolderTally
  readonly journal: UploadFolderJournal
  readonly left: LeftAsFailed
  readonly slots: RequestSlots
  /** The line to its service, which it shares with others. */
  readonly line: UploadLine
  /** Of the objects that were put in one request. */
  readonly etags: PartEtags
  /** Keys that files were given because theirs were taken, and the numbers of the files. */
  readonly givenKeys: Map<string, number>
  /** Makes the `finishing` of one of the runs that are part of it: all count together. */
  readonly finishing: () => FolderReporter['finishing']
  /** Absolute path of a file of the plan. */
  pathOf(name: string): string
  /** Judges why a file failed. False: it was waited, try again. True: it is counted as failed. Throws what ends all. */
  givesUp(file: WantedFile, failure: unknown): Promise<boolean>
}
