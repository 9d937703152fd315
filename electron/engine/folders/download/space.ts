import { formatBytes } from '../../../../shared/format/format-bytes.ts'
import type { DownloadRecord } from '../../core/records.ts'
import type { RetryPolicy } from '../../core/retry-policy.ts'
import type { FolderContext } from '../../core/run.ts'
import { SpaceLacking } from '../../core/transfer-error.ts'
import { missingSpace, withLack } from '../../files/disk-space.ts'
import { orNull } from '../../files/file-errors.ts'
import type { WantedItem } from './wanted-item.ts'

/** The unit of a file's `blocks` (POSIX). */
const STAT_BLOCK_BYTES = 512

/** Watches the space on the volume for what a folder download still has to write. */
export interface FolderSpace {
  /** Notes bytes that arrived or never will; negative when they will come again. */
  moved(bytes: number): void
  /** Waits until there is room for these items, and for all earlier ones that have not arrived yet. */
  waitFor(items: readonly WantedItem[]): Promise<void>
  /** A failure, with what the volume lacks for all that has not arrived yet if it is full. Never throws. */
  withLack(failure: unknown): Promise<unknown>
}

/** @param begun large objects of an earlier run, which are partly on the disk already. */
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
    withLack: (failure) => withLack(fileSystem, root, Math.max(0, awaitedBytes), failure),
    async waitFor(items) {
      for (const item of items) {
        const known = partials.has(item.object.key) ? await bytesOnDisk(item) : 0
        awaitedBytes += item.object.sizeBytes - known
      }
      for (;;) {
        const lacking = await missingSpace(fileSystem, root, Math.max(0, awaitedBytes))
        if (lacking === 0) return
        report.log(`The disk needs ${formatBytes(lacking)} more free space for this folder`)
        await retryPolicy.waitAfter(new SpaceLacking(lacking))
      }
    },
  }
}
