// Sentences for the person that belong to no transfer: what happens before a window is there waits for it.

import { sentences } from '../../shared/language/sentences.ts'

export interface Notices {
  readonly tell: (text: string) => void
  /**
   * Gives `listener` what was told so far, together, for the window shows one notice at a time; and all that is told
   * later. Called once.
   */
  readonly follow: (listener: (text: string) => void) => void
}

export function createNotices(): Notices {
  const waiting: string[] = []
  let listener: ((text: string) => void) | null = null
  return {
    tell(text) {
      if (listener === null) waiting.push(text)
      else listener(text)
    },
    follow(follower) {
      listener = follower
      const told = sentences(waiting.splice(0))
      if (told !== '') follower(told)
    },
  }
}
