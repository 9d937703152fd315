import type { SentFile } from '../../core/records.ts'
import type { UploadFolderContext } from '../../core/run.ts'
import type { FolderTally } from '../tally.ts'
import type { UploadFolderJournal } from './folder-run.ts'

/** What was sent is recorded this often, milliseconds: after a kill the rest is only compared, not sent again. */
const INTERVAL_MS = 250

/** Records sent files many at a time: a row a file would cost more than the file. */
export function createUploadFolderJournal(context: UploadFolderContext, tally: FolderTally): UploadFolderJournal {
  const { deps, record, report } = context
  let sent: SentFile[] = []
  let committing: Promise<void> = Promise.resolve()

  async function commitNow(): Promise<void> {
    const files = sent
    if (files.length > 0) await commitSent(files)
    const failed = tally.takeFailed()
    if (failed.length > 0) await deps.checkpoints.addFailed(record.id, failed)
  }

  async function commitSent(files: readonly SentFile[]): Promise<void> {
    sent = []
    const recorded = deps.checkpoints.addSent(record.id, files)
    // In the same transaction.
    await Promise.all([recorded, deps.checkpoints.update(record.id, { counts: tally.counts })])
    report.confirmed(
      files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      'moved',
    )
  }

  const journal: UploadFolderJournal = {
    sent: (file) => void sent.push(file),
    commit() {
      committing = committing.catch(() => undefined).then(commitNow)
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
