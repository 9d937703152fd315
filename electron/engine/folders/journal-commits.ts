import type { ItemFailure } from '../../../shared/transfer/transfer.ts'
import type { FolderContext, UploadFolderContext } from '../core/run.ts'
import { createRetryPolicy, withRetry } from '../retry/create-retry-policy.ts'
import type { FolderTally } from './tally.ts'

/** How a journal makes durable what it was told. */
export interface JournalCommits {
  /** Records what there is; waits while the disk has no room for it. */
  commit(): Promise<void>
  /** Commits again and again until `signal` is aborted. */
  keepCommitting(signal: AbortSignal): Promise<void>
}

interface Journal {
  readonly context: FolderContext | UploadFolderContext
  readonly tally: FolderTally
  /** Records what was told. What can't be recorded is kept for the next time. */
  readonly record: () => Promise<void>
  readonly intervalMs: number
}

/** Commits a journal and the failures that its tally knows, one commit at a time. */
export function createJournalCommits({ context, tally, record, intervalMs }: Journal): JournalCommits {
  const { clock, checkpoints } = context.deps
  let failed: readonly ItemFailure[] = []
  let committing: Promise<void> = Promise.resolve()

  async function recordFailed(): Promise<void> {
    failed = [...failed, ...tally.takeFailed()]
    if (failed.length === 0) return
    await checkpoints.addFailed(context.record.id, failed)
    failed = []
  }

  async function commitNow(): Promise<void> {
    await record()
    await recordFailed()
  }

  function commit(): Promise<void> {
    committing = committing.catch(() => undefined).then(() => withRetry(createRetryPolicy(context), commitNow))
    return committing
  }

  return {
    commit,
    async keepCommitting(signal) {
      for (;;) {
        await clock.sleep(intervalMs, signal)
        await commit()
      }
    },
  }
}
