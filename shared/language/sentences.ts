// Combines sentences in the way of the language.

import { t } from './translate.ts'

/** Puts whole sentences one after another, leaving out empty ones. */
export function sentences(all: readonly string[]): string {
  const said = all.filter((each) => each !== '')
  return said.length === 0 ? '' : said.reduce((first, second) => t('commands.say.then', { first, second }))
}

/** Ends words like a sentence, unless they already end like one. */
export function ended(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : t('commands.say.ended', { sentence: words })
}
