import { COMMIT_INTERVAL_MS } from '../../../../shared/limits.ts'
import type { TransferErrorInfo } from '../../../../shared/transfer/transfer-error.ts'
import type { FolderItem } from '../../core/records.ts'
import type { FolderContext } from '../../core/run.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { createJournalCommits, type JournalCommits } from '../journal-commits.ts'
import type { FolderTally } from '../tally.ts'
import type { SmallFiles } from './small-files.ts'

/** Records finished files, but never before they are durable. */
export interface FolderJournal extends JournalCommits {
  /** Adds a file that was written and still has to be made durable. */
  written(item: FolderItem): void
  /** Adds a file that is durable already. */
  durable(item: FolderItem): void
}

export function createFolderJournal(context: FolderContext, files: SmallFiles, tally: FolderTally): FolderJournal {
  const { report } = context
  const { checkpoints } = context.deps
  const { id } = context.record
  let written: FolderItem[] = []
  /** Durable files that are not recorded yet. `movedBytes` are those that nothing else confirms. */
  let durable: { readonly item: FolderItem; readonly movedBytes: number }[] = []

  async function sync(): Promise<void> {
    const items = [...written]
    if (items.length === 0) return
    const lost = new Set(await files.sync(items.map(({ path }) => path)))
    written = written.slice(items.length)
    for (const item of items) {
      if (!lost.has(item.path)) durable.push({ item, movedBytes: item.sizeBytes })
      else tally.lost(item.key, item.sizeBytes, lostByDisk())
    }
  }

  async function recordDurable(): Promise<void> {
    const some = [...durable]
    if (some.length === 0) return
    const items = some.map(({ item }) => item)
    // In one transaction.
    await Promise.all([checkpoints.addItems(id, items), checkpoints.update(id, { counts: tally.counts })])
    durable = durable.slice(some.length)
    report.confirmed(
      some.reduce((sum, { movedBytes }) => sum + movedBytes, 0),
      'moved',
    )
  }

  async function record(): Promise<void> {
    await sync()
    await recordDurable()
  }

  return {
    written: (item) => void written.push(item),
    durable: (item) => void durable.push({ item, movedBytes: 0 }),
    ...createJournalCommits({ context, tally, record, intervalMs: COMMIT_INTERVAL_MS }),
  }
}

function lostByDisk(): TransferErrorInfo {
  return new TransferError('target-unwritable', 'The disk failed to save the file').info
}
