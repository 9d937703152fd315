// Sentences with names in them, as they may be shown.

import { visibleText } from '../../../shared/visible-text.ts'
import { MIRRORED } from '../../../shared/language/languages.ts'
import { currentLanguage } from '../../../shared/language/translate.ts'

const ISOLATE = '\u2068'
const END = '\u2069'

/**
 * A text with what it was filled with from elsewhere: what would show nothing, or turn the text around it, is written
 * out, as `visibleText` does it. What keeps the names apart stays. Pure but for the language.
 */
export function visibleSentence(text: string): string {
  // Each of its letters is turned around.
  if (currentLanguage().tag === MIRRORED) return text
  const pieces = text.split(/([\u2066-\u2069])/)
  const kept = isolatesIn(pieces)
  return pieces.map((piece, index) => (kept.has(index) ? piece : visibleText(piece))).join('')
}

/** Where isolates as `isolated` makes them begin and end: a sentence among others has one, and each name in it. */
function isolatesIn(pieces: readonly string[]): ReadonlySet<number> {
  const open: number[] = []
  const found = new Set<number>()
  for (const [index, piece] of pieces.entries()) {
    if (piece === END) {
      const start = open.pop()
      if (start !== undefined && pieces[start] === ISOLATE) found.add(start).add(index)
    } else if (/^[\u2066-\u2068]$/.test(piece)) open.push(index)
  }
  return found
}
