import type { Question } from './ui/dialog.ts'

/** How often a question is brought up to date, milliseconds: it may concern thousands of transfers. */
export const ASK_AGAIN_MS = 500

/** A question that is kept up to date. */
export interface OpenQuestion {
  /** The question as last brought up to date; null: there is nothing left to ask. */
  readonly latest: () => Question | null
  /** Brings it up to date at once, so that an answer applies to what is true now. */
  readonly now: () => Question | null
  /** Calls `listener` whenever `latest` changes. @returns a function that ends this */
  readonly follow: (listener: () => void) => () => void
}

/** @param followStake calls its listener whenever what is at stake may have changed. */
export function openQuestion(asked: Question, followStake: (listener: () => void) => () => void): OpenQuestion {
  let latest: Question | null = asked
  const now = (): Question | null => (latest = asked.again === undefined ? asked : asked.again())
  return {
    latest: () => latest,
    now,
    follow(listener) {
      if (asked.again === undefined) return () => undefined
      let timer: ReturnType<typeof setTimeout> | null = null
      const askAgain = (): void => {
        timer = null
        now()
        listener()
      }
      const leave = followStake(() => (timer ??= setTimeout(askAgain, ASK_AGAIN_MS)))
      return () => {
        leave()
        if (timer !== null) clearTimeout(timer)
      }
    },
  }
}
