// English as a right-to-left language would look: for tests and screens.

import type { IntlMessageFormat } from 'intl-messageformat'

type Ast = ReturnType<IntlMessageFormat['getAst']>

/** A letter of that direction, which is not seen, and what turns those that follow. */
const RIGHT_TO_LEFT = '\u200f\u202e'
const END = '\u202c'

/** Each word runs from right to left, with its vowels doubled: translations are longer. Pure. */
export function mirroredText(text: string): string {
  return text.replace(
    /\p{L}+/gu,
    (word) => `${RIGHT_TO_LEFT}${word.replace(/[aeiou]/g, (vowel) => vowel + vowel)}${END}`,
  )
}

/** The same of a message that has been read: what it is filled with stays as it is. Pure. */
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

/** `TYPE.literal` of the parser, which is no dependency of the app. */
const LITERAL = 0
