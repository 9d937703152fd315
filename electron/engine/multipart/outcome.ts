import { assertNever } from '../../../shared/assert.ts'
import { LOST_UPLOAD_READ_BACK_MS } from '../../../shared/limits.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { StoreError } from '../../stores/port/store-error.ts'
import type { Clock } from '../core/deps.ts'
import type { RunReporter } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import {
  decide,
  disputeOf,
  weigh,
  type CompletionGoal,
  type Found,
  type SeenObject,
  type UploadPresence,
} from './evidence.ts'
import { readBack, uploadPresence, type UploadLook } from './read-back.ts'

/** What is needed to find out how a completion ended. */
export interface OutcomeQuestion extends UploadLook {
  readonly goal: CompletionGoal
  readonly clock: Clock
  readonly report: Pick<RunReporter, 'stage' | 'log' | 'facts'>
}

/**
 * `parts-refused`: the service doesn't have all parts as we list them; the upload is open. `outcomeKnown` tells whether
 * the upload may be aborted after a failure.
 */
export type CompletionResult =
  | {
      readonly kind: 'done'
      readonly verification: Verification
      readonly etag: string | null
      /** Proven by the object, not by an answer: another writer of the same content may have made it. */
      readonly isReadBack?: true
    }
  | { readonly kind: 'parts-refused'; readonly error: StoreError }
  | { readonly kind: 'failed'; readonly error: TransferError; readonly outcomeKnown: boolean }

/** Pause between two looks at the key, milliseconds. */
export const READ_BACK_INTERVAL_MS = 2000

/**
 * Finds out how an unknown outcome turned out. Returns null if the upload is open and the request may be sent (again).
 * `known`: whether the upload still exists, as far as the service has said.
 */
export async function resolveOutcome(
  question: OutcomeQuestion,
  known: UploadPresence = 'unknown',
): Promise<CompletionResult | null> {
  const { store, goal, clock, retryPolicy, signal, report } = question
  report.stage('verifying')
  let presence = known
  let goneAtMs = clock.monotonicMs()
  for (;;) {
    const lookedAtMs = clock.monotonicMs()
    const found = await withRetry(retryPolicy, () => readBack(question))
    const evidence = weigh(found, goal, store.capabilities)
    if (presence !== 'gone' && evidence !== 'ours' && evidence !== 'marked') {
      presence = await uploadPresence(question)
      goneAtMs = clock.monotonicMs()
    }
    const step = decide(evidence, presence, lookedAtMs - goneAtMs >= LOST_UPLOAD_READ_BACK_MS, goal)
    switch (step.kind) {
      case 'done':
        report.log('The object on the server proves that the upload was completed')
        return { kind: 'done', verification: step.verification, etag: etagOf(found), isReadBack: true }
      case 'fail':
        return failed(new TransferError(step.code, step.detail, { dispute: disputeOf(found, goal) }), step.outcomeKnown)
      case 'send':
        return null
      case 'read-back':
        await clock.sleep(READ_BACK_INTERVAL_MS, signal)
        break
      default:
        return assertNever(step)
    }
  }
}

/** @param outcomeKnown whether the upload may be aborted. */
export function failed(error: TransferError, outcomeKnown: boolean): CompletionResult {
  return { kind: 'failed', error, outcomeKnown }
}

/** The service completed the upload, but the object is missing or not the expected one. */
export function mismatch(detail: string, found: SeenObject, goal: CompletionGoal): CompletionResult {
  return failed(new TransferError('final-mismatch', detail, { dispute: disputeOf(found, goal) }), true)
}

function etagOf(found: Found): string | null {
  return typeof found === 'string' ? null : found.etag
}
