// What went wrong, kept as it is for as long as it is shown: its words are of the language in which they are read.

import type { MessageKey } from './english.ts'
import { message, worded, type Message } from './message.ts'

/** An error that says a text of the catalogue. */
export class WordedError extends Error {
  override readonly name = 'WordedError'
  readonly #text: Message

  constructor(text: Message) {
    super()
    this.#text = text
  }

  /** A sentence for people, in the language of now. */
  override get message(): string {
    return worded(this.#text)
  }
}

/** What was thrown, as an error to be kept. `otherwise` is what one of unknown kind says. */
export function errorOf(thrown: unknown, otherwise: MessageKey): Error {
  return thrown instanceof Error ? thrown : new WordedError(message(otherwise))
}
