// What a language is, and which languages the settings offer.

import { ENGLISH, type Messages } from './english.ts'

/** The languages in the settings, as BCP 47 tags. */
export const LANGUAGE_TAGS = ['en', 'zh-CN'] as const
export type LanguageTag = (typeof LANGUAGE_TAGS)[number]

/** All that a process needs to speak a language. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** The locale for messages, numbers and lists. */
  readonly locale: string
  /** The locale for dates and times. */
  readonly dates: string
  readonly messages: Messages
}

/** English, with days before months. */
export const IN_ENGLISH: Language = {
  tag: 'en',
  direction: 'ltr',
  locale: 'en',
  dates: 'en-GB',
  messages: ENGLISH,
}
