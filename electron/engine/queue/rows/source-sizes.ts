import { isFinal } from '../../../../shared/transfer/transfer.ts'
import type { FileSystem } from '../../core/deps.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'

/**
 * Looks up the sizes of uploads' files, one after another, for the list to show before their turn comes. Never rejects:
 * if a file can't be looked at, its upload says so when it starts.
 */
export async function measureSources(
  entries: readonly TransferEntry[],
  fileSystem: Pick<FileSystem, 'stat'>,
  signal: AbortSignal,
  onMeasured: (entry: TransferEntry) => void,
): Promise<void> {
  for (const entry of entries) {
    if (signal.aborted) return
    if (entry.record.direction !== 'upload' || entry.record.isPartsOnly === true) continue
    const stats = await fileSystem.stat(entry.record.sourcePath).catch(() => null)
    if (stats === null) continue
    entry.sourceSizeBytes = stats.size
    onMeasured(entry)
  }
}

/** Whether it is an upload that has yet to start, so that nothing says how large its file is. */
export function isUnmeasured({ record, state }: TransferEntry): boolean {
  return record.direction === 'upload' && record.source === null && !isFinal(state.status)
}
