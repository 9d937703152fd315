import type { RetryPolicy } from '../../core/retry-policy.ts'
import type { FolderContext, FolderReporter } from '../../core/run.ts'
import type { LeftAsFailed } from '../left-as-failed.ts'
import type { RequestSlots } from '../request-slots.ts'
import type { FolderTally } from '../tally.ts'
import type { FolderJournal } from './journal.ts'
import type { SmallFiles } from './small-files.ts'
import type { FolderSpace } from './space.ts'
import type { WantedItem } from './wanted-item.ts'

/** What the steps of one folder download share. */
export interface FolderRun {
  /** Its signal is also aborted by a failure that concerns all objects. */
  readonly context: FolderContext
  readonly retryPolicy: RetryPolicy
  /** Path of the target folder, absolute and without links. */
  readonly root: string
  readonly files: SmallFiles
  readonly tally: FolderTally
  readonly journal: FolderJournal
  readonly left: LeftAsFailed
  readonly space: FolderSpace
  /** The slots of the small objects. */
  readonly slots: RequestSlots
  /** Makes the `finishing` of one of the folder's inner runs. All of them count together. */
  readonly finishing: () => FolderReporter['finishing']
  /**
   * Judges a failure. Waits and returns false to try again; returns true when the object counts as failed. Throws what
   * ends the whole run.
   */
  givesUp(item: WantedItem, failure: unknown): Promise<boolean>
}

/** Counts payload bytes of an object that crossed the wire; negative when they will come again. */
export function moved({ context, space }: FolderRun, bytes: number): void {
  space.moved(bytes)
  context.report.moved(bytes)
}
