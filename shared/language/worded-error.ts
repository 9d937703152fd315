// Errors that are kept while they are shown. Their words are in the language in which they are read.

import type { MessageKey } from './english.ts'
import { message, worded, type Message } from './message.ts'

/** An error whose message is a text of the catalog. */
export class WordedError extends Error {
  override readonly name = 'WordedError'
  readonly #text: Message

  constructor(text: Message) {
    super()
    this.#text = text
  }

  /** A sentence for people, in the current language. */
  override get message(): string {
    return worded(this.#text)
  }
}

/** Turns whatever was thrown into an error; `otherwise` is the text for anything that isn't one. */
export function errorOf(thrown: unknown, otherwise: MessageKey): Error {
  return thrown instanceof Error ? thrown : new WordedError(message(otherwise))
}
