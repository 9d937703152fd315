// Makes sentences that contain names safe to show.

import { visibleText } from '../../../shared/visible-text.ts'
import { MIRRORED } from '../../../shared/language/languages.ts'
import { currentLanguage } from '../../../shared/language/translate.ts'

const ISOLATE = '\u2068'
const END = '\u2069'

/**
 * Makes a text with inserted values safe to show: writes out characters that would be invisible or turn the text around
 * them, as `visibleText` does, but keeps the isolates around names. Pure except for the language.
 */
export function visibleSentence(text: string): string {
  // In the mirrored language, every word contains direction controls.
  if (currentLanguage().tag === MIRRORED) return text
  const pieces = text.split(/([\u2066-\u2069])/)
  const kept = isolatesIn(pieces)
  return pieces.map((piece, index) => (kept.has(index) ? piece : visibleText(piece))).join('')
}

/** Where isolates made by `isolated` begin and end: around each name, and around a sentence among others. */
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
