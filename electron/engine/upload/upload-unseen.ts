import { readBack } from '../multipart/complete.ts'
import { disputeOf } from '../multipart/evidence.ts'
import { patiently } from '../retry/create-retry-policy.ts'
import { TransferError } from '../core/transfer-error.ts'
import type { UploadRun } from './upload-run.ts'

/**
 * Looks at a key that nobody could see when the upload was asked for, for example because the place had a wrong secret.
 * Throws TransferError `conflict-on-server` with both facts when an object has it.
 */
export async function refuseTakenKey(run: UploadRun, sizeBytes: number): Promise<void> {
  const { record, context, patience } = run
  if (record.isKeyUnseen !== true) return
  const { store, signal } = context
  const found = await patiently(patience, () => readBack({ store, key: record.key, signal }))
  if (typeof found !== 'string') {
    const dispute = disputeOf(found, { sizeBytes, expectedEtag: null })
    throw new TransferError('conflict-on-server', 'An object had the key before anything was sent', { dispute })
  }
  await run.save({ isKeyUnseen: false })
}
