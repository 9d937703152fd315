import type { SentFile } from '../../core/records.ts'
import type { UploadFolderContext } from '../../core/run.ts'
import { createJournalCommits } from '../journal-commits.ts'
import type { FolderTally } from '../tally.ts'
import type { UploadFolderJournal } from './folder-run.ts'

/** How often sent files are recorded, milliseconds. After a kill, the others are only compared, not sent again. */
const INTERVAL_MS = 250

/** Records many sent files at a time: a row for each would cost more than the file. */
export function createUploadFolderJournal(context: UploadFolderContext, tally: FolderTally): UploadFolderJournal {
  const { report } = context
  const { checkpoints } = context.deps
  const { id } = context.record
  let sent: SentFile[] = []

  async function record(): Promise<void> {
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

  return {
    sent: (file) => void sent.push(file),
    ...createJournalCommits({ context, tally, record, intervalMs: INTERVAL_MS }),
  }
}
