// Sentences for the person that belong to no transfer. Those told before there is a window wait for it.

import type { Message } from '../../shared/language/message.ts'

export interface Notices {
  readonly tell: (sentence: Message) => void
  /**
   * Gives `listener` every sentence told so far in one call, because the window shows one notice at a time, and each
   * later one as it is told. Called once.
   */
  readonly follow: (listener: (sentences: readonly Message[]) => void) => void
}

export function createNotices(): Notices {
  const waiting: Message[] = []
  let listener: ((sentences: readonly Message[]) => void) | null = null
  return {
    tell(sentence) {
      if (listener === null) waiting.push(sentence)
      else listener([sentence])
    },
    follow(follower) {
      listener = follower
      if (waiting.length > 0) follower(waiting.splice(0))
    },
  }
}
