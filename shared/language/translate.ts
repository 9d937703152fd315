// The texts of this process, in the language that it was set to.

import { IntlMessageFormat } from 'intl-messageformat'
import { ENGLISH, type MessageKey } from './english.ts'
import { IN_ENGLISH, type Language } from './language.ts'
import { mirrored, mirroredText } from './mirror.ts'

/** What a message is filled with. */
export type Values = Readonly<Record<string, string | number>>

/** The systems that things are called otherwise on. */
export type System = 'linux' | 'darwin' | 'win32'

let spoken = IN_ENGLISH
/** Each message is told it, and may choose by it: `{system, select, darwin {Finder} other {…}}`. */
let system: System = 'linux'
/** Reading a message takes longer than filling it: each is read when it is first said. */
const read = new Map<MessageKey, IntlMessageFormat>()
const followers: (() => void)[] = []

/** From now on `t` speaks this. Each process has one language: English until it is set. */
export function setLanguage(language: Language): void {
  spoken = language
  read.clear()
  for (const follow of followers) follow()
}

/** From now on `t` calls things as they are called on this system. */
export function setSystem(own: System): void {
  system = own
}

export function currentSystem(): System {
  return system
}

export function currentLanguage(): Language {
  return spoken
}

/** Tells of every change, for what is kept by language. */
export function followLanguage(follow: () => void): void {
  followers.push(follow)
}

/** The text of a key, filled with its values. A value that is missing throws in tests; elsewhere the text stays unfilled. */
export function t(key: MessageKey, values?: Values): string {
  const message = spoken.messages[key]
  if (isPlain(message)) return isMirrored() ? mirroredText(message) : message
  return String(filled(key, () => messageOf(key, message).format({ system, ...apart(values) })))
}

/** The same in pieces: what stands in a tag of the message is what `tags` makes of it. No tag has the name of a value. */
export function rich<Rich>(
  key: MessageKey,
  tags: Readonly<Record<string, (inside: readonly (string | Rich)[]) => Rich>>,
  values: Values = {},
): readonly (string | Rich)[] {
  const made = filled(key, () =>
    messageOf(key, spoken.messages[key]).format<Rich>({ system, ...apart(values), ...tags }),
  )
  return Array.isArray(made) ? made : [made]
}

/**
 * A text that stands in a line with others, kept apart from them: a name of the other direction would draw figures and
 * dots beside it to where they are not meant to be (Unicode Bidirectional Algorithm, isolates).
 */
export function isolated(text: string): string {
  return (isMirrored() ? !ONE_WORD.test(text) : RIGHT_TO_LEFT.test(text)) ? `${ISOLATE}${text}${END}` : text
}

/** It needs nothing, and may be what a message chooses by. */
const ONE_WORD = /^[a-z-]*$/i

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** U+2068, whose direction is that of its first letter. */
const ISOLATE = '\u2068'
const END = '\u2069'

function apart(values: Values | undefined): Values | undefined {
  if (values === undefined) return undefined
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]),
  )
}

/** Most texts have nothing to be filled in, and are not read at all. */
function isPlain(message: string): boolean {
  return !/[{<']/.test(message)
}

function isMirrored(): boolean {
  return spoken.direction === 'rtl'
}

function messageOf(key: MessageKey, message: string): IntlMessageFormat {
  const known = read.get(key)
  if (known !== undefined) return known
  const made = new IntlMessageFormat(message, spoken.locale)
  const format = isMirrored() ? new IntlMessageFormat(mirrored(made.getAst()), spoken.locale) : made
  read.set(key, format)
  return format
}

function filled<Text>(key: MessageKey, fill: () => Text): Text | string {
  try {
    return fill()
  } catch (fault) {
    if (isTest) throw fault
    return ENGLISH[key]
  }
}

const isTest = (import.meta as { readonly env?: { readonly MODE?: string } }).env?.MODE === 'test'
