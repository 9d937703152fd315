import type { ItemFailure } from '../../../../shared/transfer/transfer.ts'
import type { SentFile } from '../../core/records.ts'
import type { UploadFolderContext } from '../../core/run.ts'
import { createRetryPolicy, withRetry } from '../../retry/create-retry-policy.ts'
import type { FolderTally } from '../tally.ts'
import type { UploadFolderJournal } from './folder-run.ts'

/** What was sent is recorded this often, milliseconds: after a kill the rest is only compared, not sent again. */
const INTERVAL_MS = 250

/** Records sent files many at a time: a row a file would cost more than the file. */
export function createUploadFolderJournal(context: UploadFolderContext, tally: FolderTally): UploadFolderJournal {
  const { deps, report } = context
  const { checkpoints } = deps
  const { id } = context.record
  let sent: SentFile[] = []
  let failed: readonly ItemFailure[] = []
  let committing: Promise<void> = Promise.resolve()

  async function recordSent(): Promise<void> {
    const files = [...sent]
    if (files.length === 0) return
    // In one transaction.
    await Promise.all([checkpoints.addSent(id, files), checkpoints.update(id, { counts: tally.counts })])
    sent = sent.slice(files.length)
    report.confirmed(
      files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      'moved',
    )
  }

  async function recordFailed(): Promise<void> {
    failed = [...failed, ...tally.takeFailed()]
    if (failed.length === 0) return
    await checkpoints.addFailed(id, failed)
    failed = []
  }

  /** What can't be recorded stays to be recorded. */
  async function commitNow(): Promise<void> {
    await recordSent()
    await recordFailed()
  }

  const journal: UploadFolderJournal = {
    sent: (file) => void sent.push(file),
    commit() {
      committing = committing.catch(() => undefined).then(() => withRetry(createRetryPolicy(context), commitNow))
      return committing
    },
    async keepCommitting(signal) {
      for (;;) {
        await deps.clock.sleep(INTERVAL_MS, signal)
        await journal.commit()
      }
    },
  }
  return journal
}
