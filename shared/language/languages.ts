// The languages there are, and which of them a person is given.

import { CHINESE } from './chinese.ts'
import { IN_ENGLISH, type Language, type LanguageTag } from './language.ts'

/** English mirrored and lengthened, for tests and screens: its layout is that of Arabic. Never offered. */
export const MIRRORED = 'ar-XB'
export type AnyLanguageTag = LanguageTag | typeof MIRRORED

const LANGUAGES: Readonly<Record<AnyLanguageTag, Language>> = {
  en: IN_ENGLISH,
  'zh-CN': { tag: 'zh-CN', direction: 'ltr', locale: 'zh-CN', dates: 'zh-CN', messages: CHINESE },
  [MIRRORED]: { ...IN_ENGLISH, tag: MIRRORED, direction: 'rtl' },
}

export function languageOf(tag: AnyLanguageTag): Language {
  return LANGUAGES[tag]
}

export function isLanguageTag(text: string): text is AnyLanguageTag {
  return Object.hasOwn(LANGUAGES, text)
}

/** The first of what a person prefers, BCP 47 tags, that there is; else English. Pure. */
export function bestLanguage(preferred: readonly string[]): LanguageTag {
  for (const tag of preferred) {
    const { language, script } = localeOf(tag)
    if (language === 'en') return 'en'
    // Who reads Traditional Chinese is not given Simplified Chinese unasked.
    if (language === 'zh' && script === 'Hans') return 'zh-CN'
  }
  return 'en'
}

function localeOf(tag: string): Pick<Intl.Locale, 'language' | 'script'> {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return { language: 'und' }
  }
}
