import { t } from '../../shared/language/translate.ts'

/** Whole sentences, one after another, as the language puts them. Empty ones are left out. */
export function sentences(all: readonly string[]): string {
  const said = all.filter((each) => each !== '')
  return said.length === 0 ? '' : said.reduce((first, second) => t('commands.say.then', { first, second }))
}
