import { LOST_UPLOAD_READ_BACK_MS } from '../../../shared/limits.ts'
import { StoreError } from '../../stores/port/store-error.ts'
import { SourceAway, TransferError } from '../core/transfer-error.ts'
import { DIGEST_REFUSED, isSameEtag } from '../integrity/etag.ts'
import { storeErrorToTransferError } from '../retry/classify.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import {
  compareEtag,
  disputeOf,
  etagVerification,
  isOtherSize,
  weigh,
  type CompletionGoal,
  type Found,
} from './evidence.ts'
import {
  failed,
  mismatch,
  READ_BACK_INTERVAL_MS,
  resolveOutcome,
  type CompletionResult,
  type OutcomeQuestion,
} from './outcome.ts'
import { explainNotFound } from './not-found.ts'
import { readBack, uploadPresence } from './read-back.ts'
import { asTransient, isInconclusive, isKeyTaken, isUploadGone } from './refusals.ts'

/** One attempt to complete an upload. Its goal is already durable. */
export interface CompletionAttempt extends OutcomeQuestion {
  /** True if the request may have been sent before: the result is looked at before anything is sent. */
  readonly outcomeUnknown: boolean
  /** The service has listed its uploads before. */
  readonly listsUploads: boolean
  /** Runs before each request. Throws TransferError if it must no longer be sent, SourceAway if it must wait. */
  readonly beforeSend: () => Promise<void>
  readonly send: () => Promise<CompletionResponse>
}

export interface CompletionResponse {
  readonly etag: string
  /** While it was sent, ETags turned out to prove nothing. */
  readonly isOpaque?: boolean
}

const PARTS_REFUSED = new Set(['InvalidPart', 'InvalidPartOrder'])
/** How many times a condition may be refused although no object has the key. */
const MAX_CONDITION_REFUSALS = 3

/**
 * Completes an upload, and returns only when the outcome is known. The service goes on when the connection is lost
 * (docs/dialect.md, Documented), so a missing or odd answer is resolved by reading the object back, never by guessing.
 * Throws `signal.reason` when aborted, and TransferError `gave-up-waiting`; the outcome is unknown then.
 */
export async function completeObject(attempt: CompletionAttempt): Promise<CompletionResult> {
  let unknown = attempt.outcomeUnknown
  let digestRefusals = 0
  let conditionRefusals = 0
  if (unknown) {
    attempt.report.log('Checking whether the upload was completed')
    const known = await resolveOutcome(attempt)
    if (known !== null) return known
  }
  for (;;) {
    const failure = await responseOf(attempt)
    if (failure instanceof SourceAway) {
      const known = await waitToSend(attempt, unknown, failure)
      if (known !== null) return known
      continue
    }
    // An earlier request may still be carried out.
    if (failure instanceof TransferError) return failed(failure, !unknown)
    if (!(failure instanceof StoreError)) return verify(attempt, failure)
    if (PARTS_REFUSED.has(failure.code)) return { kind: 'parts-refused', error: failure }
    if (DIGEST_REFUSED.has(failure.code) && digestRefusals === 0) {
      digestRefusals += 1
      continue
    }
    const isGone = isUploadGone(failure)
    const isTaken = isKeyTaken(failure)
    conditionRefusals += isTaken ? 1 : 0
    const isFinal = isTaken ? conditionRefusals === MAX_CONDITION_REFUSALS : !isGone && !isInconclusive(failure)
    if (isTaken && !failure.maybeProcessed) {
      const known = await refuseTaken(attempt, unknown, failure)
      if (known !== null) return known
    }
    // A refusal that the service did not write itself may come after it carried out the request.
    if (isFinal) return failed(storeErrorToTransferError(failure), !unknown && !failure.maybeProcessed)
    if (isGone || failure.maybeProcessed) {
      unknown = true
      attempt.report.log(`Completing the upload ended with ${failure.code}; checking the result`, failure.requestId)
      const known = await resolveOutcome(attempt, isGone ? 'gone' : 'unknown')
      if (known !== null) return known
    }
    const known = await waitToSend(attempt, unknown, asTransient(failure))
    if (known !== null) return known
  }
}

/** Waits as the failure demands. Returns null if the request may be sent: no object that must stay has the key. */
async function waitToSend(
  attempt: CompletionAttempt,
  outcomeUnknown: boolean,
  failure: StoreError | SourceAway,
): Promise<CompletionResult | null> {
  await attempt.retryPolicy.waitAfter(failure)
  return attempt.goal.ifAbsent === true ? refuseTaken(attempt, outcomeUnknown) : null
}

/**
 * Checks whether an object that must not be replaced has the key, and whether it is ours after all: an intermediary may
 * have sent the request twice. Returns null if no object has the key, or none that we may see. `refusal`: the service's
 * answer that the key is taken.
 */
async function refuseTaken(
  attempt: CompletionAttempt,
  outcomeUnknown: boolean,
  refusal: StoreError | null = null,
): Promise<CompletionResult | null> {
  const { store, goal, uploadId, retryPolicy } = attempt
  const found = await withRetry(retryPolicy, () => readBack(attempt))
  if (found === 'absent' || (found === 'hidden' && refusal === null)) return null
  if (outcomeUnknown && found !== 'hidden') return resolveOutcome(attempt)
  const evidence = weigh(found, goal, store.capabilities)
  const isOurs = evidence === 'ours' || evidence === 'marked'
  if (isOurs && (uploadId === null || (await uploadPresence(attempt)) !== 'open')) return resolveOutcome(attempt)
  const detail = 'Another object has this key and must not be replaced'
  const facts = { dispute: disputeOf(found, goal), requestId: refusal?.requestId ?? null }
  const code = outcomeUnknown ? 'outcome-unknown' : 'conflict-on-server'
  return failed(new TransferError(code, detail, facts), !outcomeUnknown)
}

/**
 * Success takes an answer that fits and an object that exists: S3 can send an error with status 200
 * (CompleteMultipartUpload).
 */
async function verify(attempt: CompletionAttempt, response: CompletionResponse): Promise<CompletionResult> {
  const { store, clock, retryPolicy, signal, report } = attempt
  const goal = response.isOpaque === true ? { ...attempt.goal, expectedEtag: null } : attempt.goal
  report.facts({ etag: response.etag })
  const verdict = compareEtag(response.etag, goal, store.capabilities)
  if (verdict === 'differs') {
    const made = { sizeBytes: null, etag: response.etag, lastModified: null }
    return mismatch(`The ETag is ${response.etag} instead of ${goal.expectedEtag}`, made, goal)
  }
  const proven = {
    kind: 'done',
    verification: verdict === 'agrees' ? etagVerification(goal) : 'size-only',
    etag: response.etag,
  } as const
  if (verdict === 'agrees' && attempt.uploadId === null) return proven
  report.stage('verifying')
  const untilMs = clock.monotonicMs() + LOST_UPLOAD_READ_BACK_MS
  for (;;) {
    const isLastLook = clock.monotonicMs() >= untilMs
    const found = await withRetry(retryPolicy, () => readBack(attempt))
    if (found === 'hidden') return proven
    if (found !== 'absent' && (found.etag === null || isSameEtag(found.etag, response.etag))) {
      return isOtherSize(found, goal)
        ? mismatch(`The object has ${String(found.sizeBytes)} bytes`, found, goal)
        : proven
    }
    if (isLastLook) return replaced(found, goal)
    await clock.sleep(READ_BACK_INTERVAL_MS, signal)
  }
}

/** The service said that it made the object, but shows another one or none. */
function replaced(found: Found, goal: CompletionGoal): CompletionResult {
  if (found === 'absent') return mismatch('The service reported success, but the object is not there', found, goal)
  const detail = 'The upload was completed, but another object has since replaced it'
  return failed(new TransferError('conflict-on-server', detail, { dispute: disputeOf(found, goal) }), true)
}

async function responseOf(attempt: CompletionAttempt): Promise<CompletionResponse | StoreError | TransferError> {
  try {
    await attempt.beforeSend()
    attempt.report.stage('completing')
    return await attempt.send()
  } catch (error) {
    if (error instanceof StoreError) return await explainNotFound(attempt, error)
    if (error instanceof TransferError) return error
    throw error
  }
}
