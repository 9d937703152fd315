// Sentences for the person that belong to no transfer: what happens before a window is there waits for it.

import type { Message } from '../../shared/language/message.ts'

export interface Notices {
  readonly tell: (sentence: Message) => void
  /**
   * Gives `listener` what was told so far, together, for the window shows one notice at a time; and all that is told
   * later. Called once.
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
