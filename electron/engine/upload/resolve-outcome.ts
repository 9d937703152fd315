import { LOST_UPLOAD_READ_BACK_MS } from '../../../shared/limits.ts'
import type { UploadRecord } from '../core/records.ts'
import type { RunContext, RunOutcome } from '../core/run.ts'
import { resolveOutcome, READ_BACK_INTERVAL_MS } from '../multipart/outcome.ts'
import { outcomeOfFailure } from '../retry/classify.ts'
import { goalOf } from './key-policy.ts'
import { abandonOvertaken } from './made-by-another.ts'
import { createUploadRun } from './upload-run.ts'

/**
 * Finds out how an upload ended that is being canceled while its outcome is unknown, without completing it.
 * `completed`: it is too late to cancel. `stopped`: it was not completed and the intent is withdrawn, so the upload may
 * be aborted, unless the signal was aborted. `failed`: the outcome can't be found out. Never rejects.
 */
export async function resolveUpload(context: RunContext<UploadRecord>): Promise<RunOutcome> {
  if (context.record.intent === null) return { kind: 'stopped' }
  const run = createUploadRun(context)
  const { key, uploadId } = run.record
  const goal = goalOf(context.record, context.record.intent)
  const { store, deps, signal, report } = run.context
  const { clock } = deps
  const untilMs = clock.monotonicMs() + LOST_UPLOAD_READ_BACK_MS
  try {
    for (;;) {
      // The service may be carrying the request out right now, even if the upload is open or no object is there.
      const isLastLook = clock.monotonicMs() >= untilMs
      const result = await resolveOutcome({
        store,
        key,
        uploadId,
        goal,
        clock,
        retryPolicy: run.retryPolicy,
        signal,
        report,
      })
      if (result?.kind === 'done') {
        await abandonOvertaken(run)
        return { kind: 'completed', verification: result.verification }
      }
      if (result?.kind === 'failed' && result.error.info.code === 'outcome-unknown') throw result.error
      // Only its object tells that a single PutObject is over.
      const isKnown = uploadId !== null && result?.kind === 'failed' && result.outcomeKnown
      if (isKnown || isLastLook) break
      await clock.sleep(READ_BACK_INTERVAL_MS, signal)
    }
    await run.save({ intent: null })
    return { kind: 'stopped' }
  } catch (error) {
    return outcomeOfFailure(context.signal, error)
  } finally {
    run.end()
  }
}
