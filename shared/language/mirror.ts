// English as a right-to-left language would look, for tests and screenshots.

import type { IntlMessageFormat } from 'intl-messageformat'

type Ast = ReturnType<IntlMessageFormat['getAst']>

/** An invisible right-to-left mark, and the override that turns the letters after it around. */
const RIGHT_TO_LEFT = '\u200f\u202e'
const END = '\u202c'

/** Turns each word to run from right to left, and doubles its vowels because translations are longer. Pure. */
export function mirroredText(text: string): string {
  return text.replace(
    /\p{L}+/gu,
    (word) => `${RIGHT_TO_LEFT}${word.replace(/[aeiou]/g, (vowel) => vowel + vowel)}${END}`,
  )
}

/** Mirrors a parsed message; the values that fill it stay as they are. Pure. */
export function mirrored(ast: Ast): Ast {
  return ast.map((element) => {
    if ('options' in element && element.options !== undefined) {
      const options = Object.entries(element.options).map(([name, option]) => [
        name,
        { ...option, value: mirrored(option.value) },
      ])
      return { ...element, options: Object.fromEntries(options) as typeof element.options }
    }
    if ('children' in element) return { ...element, children: mirrored(element.children) }
    return 'value' in element && Number(element.type) === LITERAL
      ? { ...element, value: mirroredText(element.value) }
      : element
  })
}

/** The parser's `TYPE.literal`. The parser itself is not a dependency of the app. */
const LITERAL = 0
