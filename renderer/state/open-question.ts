import type { Question } from './ui/dialog.ts'

/** What is asked follows what is at stake this often, milliseconds: it may be told of thousands of transfers. */
export const ASK_AGAIN_MS = 500

/** A question as it would be asked by now. */
export interface OpenQuestion {
  /** As it was when it was last asked again; null: there is nothing to ask any more. */
  readonly latest: () => Question | null
  /** Asks again at once: what is answered is true. */
  readonly now: () => Question | null
  /** Tells when `latest` is another one. @returns what ends it. */
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
