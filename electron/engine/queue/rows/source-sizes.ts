import type { FileSystem } from '../../core/deps.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'

/**
 * Looks up the sizes of uploads' files, one after another, so that the list can show them before their turn comes.
 * Never rejects: a file that can't be looked at says so when its upload starts.
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
