/** Fewer answers tell nothing of what is late. */
const LEAST_ANSWERS = 10
/** The latest answers count. */
const MOST_ANSWERS = 100
const PERCENTILE = 0.9
const LEAST_TIMEOUT_MS = 1000
/** A service that needs longer is just slow. */
const MOST_TIMEOUT_MS = 5000
/** When more than this share of all parts was late, the timeout was too short. */
const STEPS = [
  { lateShare: 0.01, addedMs: 1000 },
  { lateShare: 0.001, addedMs: 100 },
]

/** What is known of the time from the last byte of a part to its answer. Immutable. */
export interface AnswerTimes {
  /** Milliseconds, the latest last. */
  readonly recentMs: readonly number[]
  readonly answered: number
  readonly late: number
  readonly addedMs: number
}

export const NO_ANSWERS: AnswerTimes = { recentMs: [], answered: 0, late: 0, addedMs: 0 }

/** How long to wait for the answer to a part that is sent, in milliseconds; null: as long as it takes. Pure. */
export function answerTimeoutMs({ recentMs, answered, addedMs }: AnswerTimes, connections: number): number | null {
  if (answered < Math.max(LEAST_ANSWERS, connections)) return null
  const sorted = [...recentMs].sort((a, b) => a - b)
  const usualMs = sorted[Math.ceil(PERCENTILE * sorted.length) - 1] ?? 0
  const timeoutMs = Math.max(LEAST_TIMEOUT_MS, usualMs) + addedMs
  return timeoutMs > MOST_TIMEOUT_MS ? null : timeoutMs
}

/** A part was answered after this long. Pure. */
export function afterAnswer(times: AnswerTimes, elapsedMs: number): AnswerTimes {
  const recentMs = [...times.recentMs.slice(1 - MOST_ANSWERS), elapsedMs]
  return { ...times, recentMs, answered: times.answered + 1 }
}

/** A part was not waited for any longer. Each time that is too often, all others are given more time. Pure. */
export function afterTimeout(times: AnswerTimes): AnswerTimes {
  const late = times.late + 1
  const share = late / (times.answered + late)
  const step = STEPS.find(({ lateShare }) => share > lateShare)
  return { ...times, late, addedMs: times.addedMs + (step?.addedMs ?? 0) }
}
