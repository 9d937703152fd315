import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { FolderContext, UploadFolderContext } from '../core/run.ts'

/** Why files failed that stay failed because they are not tried again, by key. */
export type LeftAsFailed = ReadonlyMap<string, TransferErrorInfo>

/** Reads the failures of the previous run that are not tried again, and clears them all for what this run finds out. */
export async function takeLeftAsFailed({
  record,
  deps,
  only = null,
}: Pick<FolderContext | UploadFolderContext, 'record' | 'deps' | 'only'>): Promise<LeftAsFailed> {
  const left = new Map<string, TransferErrorInfo>()
  if (only !== null) {
    // Runs from before all failures were kept have only the first ones, in the record.
    for (const { key, error } of record.failures ?? []) left.set(key, error)
    for await (const failures of deps.checkpoints.failed(record.id)) {
      for (const { key, error } of failures) left.set(key, error)
    }
    for (const key of only) left.delete(key)
  }
  await deps.checkpoints.removeFailed(record.id)
  return left
}
