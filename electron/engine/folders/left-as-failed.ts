import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { FolderContext, UploadFolderContext } from '../core/run.ts'

/** Why files stay failed that are not to be tried again, by key. */
export type LeftAsFailed = ReadonlyMap<string, TransferErrorInfo>

/** Reads what failed in the run before and is not to be tried now; what this run finds out takes its place. */
export async function takeLeftAsFailed({
  record,
  deps,
  only = null,
}: Pick<FolderContext | UploadFolderContext, 'record' | 'deps' | 'only'>): Promise<LeftAsFailed> {
  const left = new Map<string, TransferErrorInfo>()
  if (only !== null) {
    // Of runs from before all were kept there are the first.
    for (const { key, error } of record.failures ?? []) left.set(key, error)
    for await (const failures of deps.checkpoints.failed(record.id)) {
      for (const { key, error } of failures) left.set(key, error)
    }
    for (const key of only) left.delete(key)
  }
  await deps.checkpoints.removeFailed(record.id)
  return left
}
