const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** How much of a name stays in front of its extension, in characters as people see them. */
const KEPT_BEFORE_EXTENSION = 4
const LONGEST_EXTENSION = 12

/**
 * Shortens a name in the middle until it fits, so that the extension stays. Never cuts within what people see as one
 * character. The result is a single run of text, whose words keep their order in any script. Pure.
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
