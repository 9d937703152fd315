// What a language is, and which ones settings offer.

import { ENGLISH, type Messages } from './english.ts'

/** By their BCP 47 tags. */
export const LANGUAGE_TAGS = ['en', 'zh-CN'] as const
export type LanguageTag = (typeof LANGUAGE_TAGS)[number]

/** All that a process needs to speak a language. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** By which messages, numbers and lists are formatted. */
  readonly locale: string
  /** By which dates and times are. */
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
