import type { UploadPartRequest } from '../stores/object-store.ts'
import type { Clock } from './deps.ts'
import { afterAnswer, afterTimeout, answerTimeoutMs, NO_ANSWERS } from './slow-part-policy.ts'

/** A part that is sent and not answered while others are: sending it again is quicker than waiting. */
export class AnswerLate extends Error {}

/** Watches how long the parts of one upload are on their way to being answered. */
export interface SlowParts {
  /** Sends a part; throws AnswerLate when its answer is overdue, else what `send` throws. */
  send<Answer>(part: UploadPartRequest, send: (part: UploadPartRequest) => Promise<Answer>): Promise<Answer>
}

/** @param connections how many parts may be under way; null while lateness means nothing. */
export function createSlowParts(clock: Clock, connections: () => number | null): SlowParts {
  let times = NO_ANSWERS
  return {
    async send(part, send) {
      const request = new AbortController()
      const over = new AbortController()
      const pass = () => {
        request.abort(part.signal.reason)
      }
      part.signal.throwIfAborted()
      part.signal.addEventListener('abort', pass)
      let leftBytes = part.body.sizeBytes
      let sentAtMs: number | null = null
      const watch = async (): Promise<void> => {
        sentAtMs = clock.monotonicMs()
        const most = connections()
        const timeoutMs = most === null ? null : answerTimeoutMs(times, most)
        if (timeoutMs === null) return
        await clock.sleep(timeoutMs, over.signal)
        if (over.signal.aborted) return
        times = afterTimeout(times)
        request.abort(new AnswerLate(`No answer ${String(Math.round(timeoutMs))} ms after it was sent`))
      }
      const onSent = (bytes: number): void => {
        part.onSent?.(bytes)
        leftBytes -= bytes
        if (leftBytes === 0) void watch().catch(() => undefined)
      }
      try {
        const answer = await send({ ...part, onSent, signal: request.signal })
        if (sentAtMs !== null) times = afterAnswer(times, clock.monotonicMs() - sentAtMs)
        return answer
      } finally {
        over.abort()
        part.signal.removeEventListener('abort', pass)
      }
    },
  }
}
