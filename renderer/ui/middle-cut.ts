const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Of the end of a name so much stays before its extension, characters as people see them. */
const KEPT_BEFORE_EXTENSION = 4
const LONGEST_EXTENSION = 12

/**
 * A name shortened in its middle until it fits, so that the extension stays: whole where it fits, never inside of what
 * is one character to a person, and one run of text, whose words keep their order in any script. Pure.
 */
export function middleCut(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name
  const characters = [...GRAPHEMES.segment(name)].map(({ segment }) => segment)
  const tail = characters.slice(-tailLength(characters)).join('')
  const cut = (headLength: number): string => `${characters.slice(0, headLength).join('').trimEnd()}…${tail}`
  let [low, high] = [1, characters.length - tailLength(characters)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(cut(middle))) low = middle
    else high = middle - 1
  }
  return cut(low)
}

function tailLength(characters: readonly string[]): number {
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION ? characters.length - dot : 0
  return Math.min(extension + KEPT_BEFORE_EXTENSION, Math.max(1, Math.floor(characters.length / 2)))
}
