// Sentences beside others, as the language puts them.

import { t } from './translate.ts'

/** Whole sentences, one after another. Empty ones are left out. */
export function sentences(all: readonly string[]): string {
  const said = all.filter((each) => each !== '')
  return said.length === 0 ? '' : said.reduce((first, second) => t('commands.say.then', { first, second }))
}

/** Words as a whole sentence: those that end as one stay. */
export function ended(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : t('commands.say.ended', { sentence: words })
}
