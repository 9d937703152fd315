import { COMMIT_INTERVAL_MS } from '../../../../shared/limits.ts'
import type { TransferErrorInfo } from '../../../../shared/transfer/transfer-error.ts'
import type { ItemFailure } from '../../../../shared/transfer/transfer.ts'
import type { FolderItem } from '../../core/records.ts'
import type { FolderContext } from '../../core/run.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { createRetryPolicy, withRetry } from '../../retry/create-retry-policy.ts'
import type { FolderTally } from '../tally.ts'
import type { SmallFiles } from './small-files.ts'

/** Records what is finished, never before it is durable. */
export interface FolderJournal {
  /** A file that was written and is to become durable. */
  written(item: FolderItem): void
  /** A file that is durable already. */
  durable(item: FolderItem): void
  /** Makes what was written durable, then records it; waits where there is no room for that. */
  commit(): Promise<void>
  /** Commits again and again until `signal` is aborted. */
  keepCommitting(signal: AbortSignal): Promise<void>
}

export function createFolderJournal(context: FolderContext, files: SmallFiles, tally: FolderTally): FolderJournal {
  const { deps, report } = context
  const { checkpoints } = deps
  const { id } = context.record
  let written: FolderItem[] = []
  /** Not recorded yet; `movedBytes` are those that nobody else confirms. */
  let durable: { readonly item: FolderItem; readonly movedBytes: number }[] = []
  let failed: readonly ItemFailure[] = []
  let committing: Promise<void> = Promise.resolve()

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

  async function record(): Promise<void> {
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

  async function recordFailed(): Promise<void> {
    failed = [...failed, ...tally.takeFailed()]
    if (failed.length === 0) return
    await checkpoints.addFailed(id, failed)
    failed = []
  }

  /** What can't be recorded stays to be recorded. */
  async function commitNow(): Promise<void> {
    await sync()
    await record()
    await recordFailed()
  }

  const journal: FolderJournal = {
    written: (item) => void written.push(item),
    durable: (item) => void durable.push({ item, movedBytes: 0 }),
    commit() {
      committing = committing.catch(() => undefined).then(() => withRetry(createRetryPolicy(context), commitNow))
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

function lostByDisk(): TransferErrorInfo {
  return new TransferError('target-unwritable', 'The disk failed to keep the file').info
}
