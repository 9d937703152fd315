// Sentences with names in them, as they may be shown.

import { visibleText } from './visible-text.ts'
import { MIRRORED } from './language/languages.ts'
import { currentLanguage } from './language/translate.ts'

/** Isolates that end, with none inside: those of `isolated`. */
const ISOLATED = /\u2068([^\u2066-\u2069]*)\u2069/g

/**
 * A text with what it was filled with from elsewhere: what would show nothing, or turn the text around it, is written
 * out, as `visibleText` does it. What keeps the names apart stays. Pure but for the language.
 */
export function visibleSentence(text: string): string {
  // Each of its letters is turned around.
  if (currentLanguage().tag === MIRRORED) return text
  const pieces = text.split(ISOLATED)
  return pieces
    .map((piece, index) => (index % 2 === 0 ? visibleText(piece) : `\u2068${visibleText(piece)}\u2069`))
    .join('')
}
