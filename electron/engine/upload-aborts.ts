import { STORE_ERROR, StoreError } from '../stores/store-error.ts'
import type { DueAbort } from './checkpoint/checkpoint.ts'
import type { EngineDeps } from './deps.ts'
import { backoffMs, classify } from './retry.ts'

/** Answers after which there is nothing left to abort, or nobody who could. */
const NOTHING_LEFT = new Set<string>(['NoSuchUpload', 'NoSuchBucket', STORE_ERROR.notImplemented])

/**
 * Aborts the uploads that are due until that is true, in rounds, so that one unreachable service doesn't hold up the
 * others. Those that are refused stay due for the next start. Throws `signal.reason` when aborted.
 */
export async function abortDueUploads(
  deps: Pick<EngineDeps, 'checkpoints' | 'openStore' | 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<void> {
  const refused = new Set<string>()
  for (let round = 1; ; round += 1) {
    let isAnyLeft = false
    for (const due of await deps.checkpoints.abortsDue()) {
      if (refused.has(due.uploadId)) continue
      const outcome = await abortOnce(deps, due, signal)
      if (outcome === 'done') await deps.checkpoints.abortDone(due.uploadId)
      if (outcome === 'refused') refused.add(due.uploadId)
      if (outcome === 'later') isAnyLeft = true
    }
    if (!isAnyLeft) return
    await deps.clock.sleep(backoffMs(round, deps.random), signal)
  }
}

async function abortOnce(
  deps: Pick<EngineDeps, 'openStore'>,
  due: DueAbort,
  signal: AbortSignal,
): Promise<'done' | 'refused' | 'later'> {
  try {
    await deps.openStore(due.location).abortMultipartUpload({ key: due.key, uploadId: due.uploadId, signal })
    return 'done'
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof StoreError && NOTHING_LEFT.has(error.code)) return 'done'
    return classify(error).kind === 'wait' ? 'later' : 'refused'
  }
}
