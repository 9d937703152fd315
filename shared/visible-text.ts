/**
 * Characters that make a text look like another: direction controls, zero-width and invisible characters, and lone
 * surrogates. Not the variation selectors, which emoji are made of.
 */
export const INVISIBLE =
  /(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u202a-\u202e\ufff9-\ufffb\u0080-\u009f]|\p{Surrogate}/u
const HIDDEN = new RegExp(`\\p{Cc}|${INVISIBLE.source}`, 'gu')

/** Marks the characters after it as an encoded one. */
export const QUOTE = '\u201b'

/**
 * Makes a name from a server safe to show: writes out characters that would be invisible, or turn the text around them,
 * as in the names of downloaded files. Pure.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character, offset: number) =>
    isJoiner(character) && joins(text.slice(0, offset), text.slice(offset + 1)) ? character : visibleForm(character),
  )
}

function isJoiner(character: string): boolean {
  return character === '\u200c' || character === '\u200d'
}

/**
 * A character that a joiner may stand beside: part of an emoji, or of a script whose letters depend on their neighbors.
 */
const JOINED = String.raw`(?:\p{Extended_Pictographic}|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}])`
const BEFORE = new RegExp(`${JOINED}(?:\\u{fe0f}|\\p{Emoji_Modifier})*$`, 'u')
const AFTER = new RegExp(`^${JOINED}`, 'u')

/**
 * Whether a joiner between two texts belongs there, as in a family emoji, or in a Persian or Indic word.
 */
function joins(before: string, after: string): boolean {
  return BEFORE.test(before.slice(-8)) && AFTER.test(after.slice(0, 2))
}

/** The visible form of a character: `␊` for a control character, `‛u202e` for an invisible one. */
export function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  const digits = code.toString(16).padStart(4, '0')
  return QUOTE + (digits.length === 4 ? `u${digits}` : `u{${digits}}`)
}
