// Keeps an upload from replacing an object that it was not told to replace.

import type { CompletionIntent, UploadRecord } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'
import { readBack } from '../multipart/read-back.ts'
import { disputeOf, type CompletionGoal, type Found } from '../multipart/evidence.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import type { UploadRun } from './upload-run.ts'

/** What completing should result in, and whether it may replace anything. */
export function goalOf(
  { onConflict }: Pick<UploadRecord, 'onConflict'>,
  intent: CompletionIntent,
): CompletionIntent & { readonly ifAbsent: boolean } {
  return { ...intent, ifAbsent: onConflict === 'fail' }
}

/** Throws TransferError `conflict-on-server`, with both versions, if an object is there. */
export function requireFree(found: Found, expected: Pick<CompletionGoal, 'sizeBytes' | 'expectedEtag'>): void {
  if (typeof found === 'string') return
  const dispute = disputeOf(found, expected)
  throw new TransferError('conflict-on-server', 'Another object has this key and must not be replaced', { dispute })
}

/**
 * Looks at the key before the first byte is sent: the last look may be long ago. Throws TransferError
 * `conflict-on-server` if an object has the key that must not be replaced.
 */
export async function refuseTakenKey({ record, context, retryPolicy }: UploadRun, sizeBytes: number): Promise<void> {
  if (record.onConflict !== 'fail') return
  const { store, signal } = context
  const found = await withRetry(retryPolicy, () => readBack({ store, key: record.key, signal }))
  requireFree(found, { sizeBytes, expectedEtag: null })
}
