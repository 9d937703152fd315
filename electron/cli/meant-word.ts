import { nearestName } from '../../shared/nearest-name.ts'

/** The fewest letters that name what begins with them. */
const LEAST_LETTERS = 3

/**
 * The word that was probably meant by one that doesn't exist: a letter or two are wrong, or its end is missing. Null if
 * none is, or more than one. Pure.
 */
export function meantWord(typed: string, words: readonly string[]): string | null {
  const lower = typed.toLowerCase()
  const [longer, ...others] = lower.length < LEAST_LETTERS ? [] : words.filter((word) => word.startsWith(lower))
  return longer !== undefined && others.length === 0 ? longer : nearestName(lower, words)
}
