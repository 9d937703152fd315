/**
 * What makes a text lie about itself: controls for the direction of writing, zero-width and invisible characters, lone
 * surrogates. Not the variation selectors, which emoji are made of.
 */
export const INVISIBLE =
  /(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u202a-\u202e\ufff9-\ufffb\u0080-\u009f]|\p{Surrogate}/u
const HIDDEN = new RegExp(`\\p{Cc}|${INVISIBLE.source}`, 'gu')

/** Marks what follows as encoded. */
export const QUOTE = '\u201b'

/**
 * A name from a server as it may be shown: what would show nothing, or turn the text around it, is written out as in the
 * names of downloaded files. Pure.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, visibleForm)
}

/** `␊` for a control character, `‛u202e` for what is invisible. */
export function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  const digits = code.toString(16).padStart(4, '0')
  return QUOTE + (digits.length === 4 ? `u${digits}` : `u{${digits}}`)
}
