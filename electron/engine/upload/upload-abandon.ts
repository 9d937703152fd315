import { StoreError } from '../../stores/port/store-error.ts'
import type { DueAbort } from '../core/records.ts'
import type { RunContext } from '../core/run.ts'

/** Aborts an upload that leads nowhere. If that can't be done now, it is durable and done later. */
export async function abandonUpload(
  { deps, store, signal }: Pick<RunContext<never>, 'deps' | 'store' | 'signal'>,
  due: DueAbort,
): Promise<void> {
  await deps.checkpoints.addAbort(due)
  try {
    await store.abortMultipartUpload({ key: due.key, uploadId: due.uploadId, signal })
  } catch (failure) {
    if (!(failure instanceof StoreError) || failure.code !== 'NoSuchUpload') return
  }
  await deps.checkpoints.abortDone(due.uploadId)
}
