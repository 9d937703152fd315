import { formatBytes } from '../../../../shared/format-bytes.ts'
import type { DownloadRecord } from '../../core/records.ts'
import type { RetryPolicy } from '../../core/retry-policy.ts'
import type { FolderContext } from '../../core/run.ts'
import { missingSpace, noSpace } from '../../files/disk-space.ts'
import { orNull } from '../../files/file-errors.ts'
import type { WantedItem } from './wanted-item.ts'

/** Bytes that the file system counts in `blocks` of a file (POSIX). */
const STAT_BLOCK_BYTES = 512

/** Space on the volume for what a folder download is still to write. */
export interface FolderSpace {
  /** Bytes arrived, or will not come; negative: they come again. */
  moved(bytes: number): void
  /** Waits until there is room for these, and for all that were given before and have not arrived. */
  waitFor(items: readonly WantedItem[]): Promise<void>
}

/** @param begun large objects of an earlier run, part of which is on the disk already. */
export function createFolderSpace(
  { deps, report }: Pick<FolderContext, 'deps' | 'report'>,
  root: string,
  begun: readonly DownloadRecord[],
  retryPolicy: RetryPolicy,
): FolderSpace {
  const { fileSystem } = deps
  const partials = new Map(begun.map(({ key, partialPath }) => [key, partialPath]))
  let awaitedBytes = 0

  async function bytesOnDisk({ object }: WantedItem): Promise<number> {
    const path = partials.get(object.key) ?? null
    const found = path === null ? null : await orNull(fileSystem.lstat(path))
    return Math.min(object.sizeBytes, (found?.blocks ?? 0) * STAT_BLOCK_BYTES)
  }

  return {
    moved: (bytes) => void (awaitedBytes -= bytes),
    async waitFor(items) {
      for (const item of items) {
        const known = partials.has(item.object.key) ? await bytesOnDisk(item) : 0
        awaitedBytes += item.object.sizeBytes - known
      }
      for (;;) {
        const lacking = await missingSpace(fileSystem, root, Math.max(0, awaitedBytes))
        if (lacking === 0) return
        report.log(`The disk lacks ${formatBytes(lacking)} for this folder`)
        await retryPolicy.waitAfter(noSpace(lacking))
      }
    },
  }
}
