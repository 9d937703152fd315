import { COMMIT_INTERVAL_MS } from '../../../../shared/limits.ts'
import type { FolderItem } from '../../core/records.ts'
import type { FolderTally } from '../tally.ts'
import type { FolderContext } from '../../core/run.ts'
import type { SmallFiles } from './small-files.ts'
import { TransferError } from '../../core/transfer-error.ts'

/** Records what is finished, never before it is durable. */
export interface FolderJournal {
  /** A file that was written and is to become durable. */
  written(item: FolderItem): void
  /** A file that is durable already. */
  durable(item: FolderItem): void
  /** Makes what was written durable, then records it. */
  commit(): Promise<void>
  /** Commits again and again until `signal` is aborted. */
  keepCommitting(signal: AbortSignal): Promise<void>
}

export function createFolderJournal(context: FolderContext, files: SmallFiles, tally: FolderTally): FolderJournal {
  const { deps, record, report } = context
  let written: FolderItem[] = []
  let durable: FolderItem[] = []
  let committing: Promise<void> = Promise.resolve()

  async function commitNow(): Promise<void> {
    const items = written
    const others = durable
    if (items.length + others.length > 0) await commitItems(items, others)
    const failed = tally.takeFailed()
    if (failed.length > 0) await deps.checkpoints.addFailed(record.id, failed)
  }

  async function commitItems(items: readonly FolderItem[], others: readonly FolderItem[]): Promise<void> {
    written = []
    durable = []
    const lost = new Set(items.length === 0 ? [] : await files.sync(items.map(({ path }) => path)))
    for (const { key, sizeBytes } of items.filter(({ path }) => lost.has(path))) {
      tally.lost(key, sizeBytes, new TransferError('target-unwritable', 'The disk failed to keep the file').info)
    }
    const kept = items.filter(({ path }) => !lost.has(path))
    const recorded = deps.checkpoints.addItems(record.id, [...kept, ...others])
    // In the same transaction.
    await Promise.all([recorded, deps.checkpoints.update(record.id, { counts: tally.counts })])
    report.confirmed(
      kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      'moved',
    )
  }

  const journal: FolderJournal = {
    written: (item) => void written.push(item),
    durable: (item) => void durable.push(item),
    commit() {
      committing = committing.catch(() => undefined).then(commitNow)
      return committing
    },
    async keepCommitting(signal) {
      for (;;) {
        await deps.clock.sleep(COMMIT_INTERVAL_MS, signal)
        await journal.commit()
      }
    },
  }
  return journal
}
