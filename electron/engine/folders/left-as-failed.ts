import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { FolderContext, UploadFolderContext } from '../core/run.ts'

/** Why a file stays failed that is not to be tried again; null: it is tried. */
export function leftAsFailed(
  { record, only = null }: Pick<FolderContext | UploadFolderContext, 'record' | 'only'>,
  key: string,
): TransferErrorInfo | null {
  if (only === null || only.has(key)) return null
  return record.failures?.find((failure) => failure.key === key)?.error ?? null
}
