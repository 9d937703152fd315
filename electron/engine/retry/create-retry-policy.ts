import { MIB } from '../../../shared/limits.ts'
import type { WaitCause } from '../../../shared/wait-cause.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { GiveUpAfter, RetryBudget, RetryPolicy } from '../core/retry-policy.ts'
import type { RunReporter } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import { classify, type Verdict } from './classify.ts'

const BACKOFF_BASE_MS = 500
const BACKOFF_CAP_MS = 30_000

/** Full-jitter backoff before try `attempt` + 1, milliseconds: random in 0 to min(30 s, 0.5 s · 2^attempt). */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 16)))
}

/** How long to wait at most before looking whether a volume has room again, which asks nothing of the service (ms). */
const LOOK_CAP_MS = 5000

/** Progress that counts as a success: earlier failures are forgotten, and one broken connection is mended at once. */
export const PROGRESS_BYTES = MIB
/** Connections can break together: this many are mended at once before there must be progress again. */
const MAX_MENDS = 8

/** An unreadable answer is asked for this many times in a row: a service that repeats it means it. */
const MAX_UNREADABLE = 5

/** What a retry policy needs from a run; a RunContext has it. */
export interface RetryContext {
  readonly deps: Pick<EngineDeps, 'clock' | 'random'>
  readonly giveUpAfterMs: GiveUpAfter
  readonly signal: AbortSignal
  readonly report: Pick<RunReporter, 'waiting'>
  /** Shared by all that ask the same service. If left out, retries are not limited. */
  readonly retryBudget?: RetryBudget
}

/**
 * Creates the retry policy of one run. Waiting is not failing: without `giveUpAfterMs` it never ends by itself; with
 * it, `gave-up-waiting` is thrown once nothing has moved for that long. A connection that breaks after progress
 * costs no wait. Unreadable answers end it with `answer-unreadable` after a few tries without progress.
 */
export function createRetryPolicy(context: RetryContext): RetryPolicy {
  const { clock, random } = context.deps
  let attempt = 0
  let waiters = 0
  let unreadable = 0
  let sameTryUntilMs = 0
  let movedAtMs = clock.monotonicMs()
  /** Progress that mended connections have not used up. */
  let freshBytes = 0
  let bytesSinceFailure = 0

  function mendsAtOnce(verdict: Verdict & { readonly kind: 'wait' }): boolean {
    if (verdict.reason !== 'network' || !isOfConnection(verdict.cause)) return false
    if (verdict.retryAfterMs !== null || freshBytes < PROGRESS_BYTES) return false
    freshBytes -= PROGRESS_BYTES
    return true
  }

  /** After how many milliseconds without movement a failure like this ends the waiting. */
  function limitAfter(failure: unknown): number {
    const { giveUpAfterMs } = context
    return (typeof giveUpAfterMs === 'function' ? giveUpAfterMs(failure) : giveUpAfterMs) ?? Infinity
  }

  function moved(): void {
    movedAtMs = clock.monotonicMs()
  }

  return {
    moved,
    progressed(bytes) {
      if (bytes <= 0) return
      moved()
      unreadable = 0
      freshBytes = Math.min(MAX_MENDS * PROGRESS_BYTES, freshBytes + bytes)
      bytesSinceFailure += bytes
      if (bytesSinceFailure < PROGRESS_BYTES) return
      bytesSinceFailure -= PROGRESS_BYTES
      attempt = 0
      context.retryBudget?.refund()
    },
    async waitAfter(failure, isVain = false) {
      if (context.signal.aborted) throw context.signal.reason
      const verdict = classify(failure)
      if (verdict.kind === 'stop') throw verdict.error
      // Unreadable answers that come while the first one waits belong to the same try.
      const isNewTry = isUnreadable(failure) && clock.monotonicMs() >= sameTryUntilMs
      unreadable += isNewTry ? 1 : 0
      if (isUnreadable(failure) && unreadable >= MAX_UNREADABLE) throw unreadableError(failure)
      if (!isVain && mendsAtOnce(verdict)) return
      attempt += 1
      bytesSinceFailure = 0
      const isLook = verdict.lackingBytes !== undefined
      const isSpent = !isLook && context.retryBudget?.spend(failure) === false
      const longMs = isSpent ? (BACKOFF_CAP_MS * (1 + random())) / 2 : 0
      const idleMs = clock.monotonicMs() - movedAtMs
      const leftMs = limitAfter(failure) - idleMs
      if (leftMs <= 0 || (verdict.retryAfterMs ?? 0) > leftMs) throw gaveUp(failure, verdict)
      const wantedMs = Math.max(backoffMs(attempt, random), longMs, verdict.retryAfterMs ?? 0)
      const delayMs = Math.round(Math.min(wantedMs, leftMs, isLook ? LOOK_CAP_MS : Infinity))
      if (isNewTry) sameTryUntilMs = clock.monotonicMs() + delayMs
      const isAsked = verdict.retryAfterMs !== null
      const retryAtMs = clock.nowMs() + delayMs
      const { reason, cause, lackingBytes } = verdict
      const also = { ...(isAsked && { isAsked }), ...(lackingBytes !== undefined && { lackingBytes }) }
      context.report.waiting({ reason, cause, retryAtMs, attempt, ...also })
      waiters += 1
      try {
        await clock.sleep(delayMs, context.signal)
      } finally {
        waiters -= 1
        if (waiters === 0) context.report.waiting(null)
      }
    },
  }
}

function gaveUp(failure: unknown, { cause, reason }: Verdict & { readonly kind: 'wait' }): TransferError {
  const detail = failure instanceof Error ? failure.message : String(failure)
  return new TransferError('gave-up-waiting', detail, {
    cause: failure,
    ...(cause === null ? {} : { waitCause: cause }),
    ...(reason === 'proxy' ? { isOfProxy: true } : {}),
  })
}

/** False if the connection held, or none was needed: a request repeated at once would meet the same fault. */
function isOfConnection(cause: WaitCause | null): boolean {
  return cause === null || !['web-page', 'bad-answer', 'keys-awaited', 'no-descriptors'].includes(cause.code)
}

function isUnreadable(failure: unknown): failure is StoreError {
  return failure instanceof StoreError && failure.code === STORE_ERROR.badAnswer
}

function unreadableError({ message, httpStatus, requestId, code }: StoreError): TransferError {
  return new TransferError('answer-unreadable', message, { serviceCode: code, httpStatus, requestId })
}

/** Repeats a request as the retry policy allows. Only for requests that are safe to repeat. */
export async function withRetry<Value>(retryPolicy: RetryPolicy, request: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await request()
    } catch (failure) {
      await retryPolicy.waitAfter(failure)
    }
  }
}
