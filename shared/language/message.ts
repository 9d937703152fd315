// Texts that are worded where they are read: the window may speak another language by then.

import type { MessageKey } from './english.ts'
import { localEnumeration } from './locale.ts'
import { t, type Values } from './translate.ts'

/** A text of the catalogue and what it is filled with: other such texts, and names one after another, too. */
export interface Message {
  readonly key: MessageKey
  readonly values?: Readonly<Record<string, MessageValue>>
}

type MessageValue = string | number | Message | readonly string[]

export function message(key: MessageKey, values?: NonNullable<Message['values']>): Message {
  return values === undefined ? { key } : { key, values }
}

/** What it says in the language of now. A string is what is there in one language only. */
export function worded(text: Message | string): string {
  return typeof text === 'string' ? text : t(text.key, wordedValues(text.values))
}

function wordedValues(values: Message['values'] = {}): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value : wordedValue(value)]),
  )
}

function wordedValue(value: Exclude<MessageValue, number>): string {
  return typeof value === 'string' || 'key' in value ? worded(value) : localEnumeration(value)
}
