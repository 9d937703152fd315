// Sentences for the person that belong to no transfer. Those told before there is a window wait for it.

import type { Refusal } from '../../shared/transfer/words/error-words.ts'

export interface Notices {
  /** Tells sentences together: the window shows one notice at a time. */
  readonly tell: (...sentences: readonly Refusal[]) => void
  /**
   * Gives `listener` everything told so far in one call, and each later notice as it is told. Called once.
   */
  readonly follow: (listener: (sentences: readonly Refusal[]) => void) => void
}

export function createNotices(): Notices {
  const waiting: Refusal[] = []
  let listener: ((sentences: readonly Refusal[]) => void) | null = null
  return {
    tell(...sentences) {
      if (listener === null) waiting.push(...sentences)
      else if (sentences.length > 0) listener(sentences)
    },
    follow(follower) {
      listener = follower
      if (waiting.length > 0) follower(waiting.splice(0))
    },
  }
}
