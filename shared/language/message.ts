// Texts that are put into words only where they are read, because the window may speak another language by then.

import type { MessageKey } from './english.ts'
import { localEnumeration } from './locale.ts'
import { t, type Values } from './translate.ts'

/** A text of the catalog and its values, which may be such texts themselves, or lists of names. */
export interface Message {
  readonly key: MessageKey
  readonly values?: Readonly<Record<string, MessageValue>>
}

type MessageValue = string | number | Message | readonly string[]

export function message(key: MessageKey, values?: NonNullable<Message['values']>): Message {
  return values === undefined ? { key } : { key, values }
}

/** The words of a text in the current language. A string exists in one language only and is returned as it is. */
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
