// The available languages, and how one is chosen for a person.

import { CHINESE } from './chinese.ts'
import { IN_ENGLISH, type Language, type LanguageTag } from './language.ts'

/** English mirrored and lengthened, with the layout of Arabic, for tests and screenshots. Never offered. */
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

/** The first available language among those that a person prefers (BCP 47 tags), else English. Pure. */
export function bestLanguage(preferred: readonly string[]): LanguageTag {
  for (const tag of preferred) {
    const { language, script } = localeOf(tag)
    if (language === 'en') return 'en'
    // Readers of Traditional Chinese don't get Simplified Chinese unless they choose it.
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
