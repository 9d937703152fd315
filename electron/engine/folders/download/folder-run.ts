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
  /** Its signal also ends when something concerns all objects. */
  readonly context: FolderContext
  readonly retryPolicy: RetryPolicy
  /** The folder, absolute and without links in it. */
  readonly root: string
  readonly files: SmallFiles
  readonly tally: FolderTally
  readonly journal: FolderJournal
  readonly left: LeftAsFailed
  readonly space: FolderSpace
  /** Turns of the small objects. */
  readonly slots: RequestSlots
  /** Makes the `finishing` of one of the runs that are part of it: all count together. */
  readonly finishing: () => FolderReporter['finishing']
  /**
   * Judges why an object failed. False: it was waited, try again. True: it is counted as failed. Throws what ends all.
   */
  givesUp(item: WantedItem, failure: unknown): Promise<boolean>
}

/** Payload bytes of an object crossed the wire; negative: they come again. */
export function moved({ context, space }: FolderRun, bytes: number): void {
  space.moved(bytes)
  context.report.moved(bytes)
}
