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
 * A name from a server as it may be shown: what would show nothing, or turn the text around it, is written out as in
 * the names of downloaded files. Pure.
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
 * A character that a joiner may stand beside: of an emoji, or of a script whose letters change with their neighbours.
 */
const JOINED = String.raw`(?:\p{Extended_Pictographic}|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}])`
const BEFORE = new RegExp(`${JOINED}(?:\\u{fe0f}|\\p{Emoji_Modifier})*$`, 'u')
const AFTER = new RegExp(`^${JOINED}`, 'u')

/**
 * Whether a joiner between two texts is part of how they are written: of a family emoji, or a Persian or Indic word.
 */
function joins(before: string, after: string): boolean {
  return BEFORE.test(before.slice(-8)) && AFTER.test(after.slice(0, 2))
}

/** `␊` for a control character, `‛u202e` for what is invisible. */
export function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  const digits = code.toString(16).padStart(4, '0')
  return QUOTE + (digits.length === 4 ? `u${digits}` : `u{${digits}}`)
}
