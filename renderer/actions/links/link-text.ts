import { t } from '../../../shared/language/translate.ts'

/** Why a text can't be used as a link, or null when it can. Pure. */
export function linkProblem(text: string): string | null {
  return /\s/.test(text) || !isLink(text) ? t('commands.link.scheme') : null
}

function isLink(line: string): boolean {
  return /^https?:\/\//i.test(line) && URL.canParse(line)
}
