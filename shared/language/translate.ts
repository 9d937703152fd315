// The texts of this process, in the language that was set.

import { IntlMessageFormat } from 'intl-messageformat'
import { ENGLISH, type MessageKey } from './english.ts'
import { IN_ENGLISH, type Language } from './language.ts'
import { mirrored, mirroredText } from './mirror.ts'

/** The values that fill a message. */
export type Values = Readonly<Record<string, string | number>>

/** The operating systems on which some things have other names. */
export type System = 'linux' | 'darwin' | 'win32'

let spoken = IN_ENGLISH
/** Available to every message as a value: `{system, select, darwin {Finder} other {…}}`. */
let system: System = 'linux'
/** Messages that have been parsed. Parsing takes longer than filling, so each is parsed once, when first needed. */
const read = new Map<MessageKey, IntlMessageFormat>()
const followers: (() => void)[] = []

/** Sets the language of `t` from now on. Each process has one language, which is English until it is set. */
export function setLanguage(language: Language): void {
  spoken = language
  read.clear()
  for (const follow of followers) follow()
}

/** Sets the system whose names for things `t` uses from now on. */
export function setSystem(own: System): void {
  system = own
}

export function currentSystem(): System {
  return system
}

export function currentLanguage(): Language {
  return spoken
}

/** Calls `follow` whenever the language changes, so that values that depend on it can be dropped. */
export function followLanguage(follow: () => void): void {
  followers.push(follow)
}

/** The text of a key, filled with values. If a value is missing, tests throw; otherwise the text stays unfilled. */
export function t(key: MessageKey, values?: Values): string {
  const message = spoken.messages[key]
  if (isPlain(message)) return isMirrored() ? mirroredText(message) : message
  return String(filled(key, () => messageOf(key, message).format({ system, ...apart(values) })))
}

/** The text of a key in pieces; `tags` convert what stands in the message's tags. No tag may have a value's name. */
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
 * Isolates a text from others in the same line: a name in the other direction would move figures and dots beside it to
 * the wrong place (Unicode Bidirectional Algorithm, isolates).
 */
export function isolated(text: string): string {
  return (isMirrored() ? !ONE_WORD.test(text) : RIGHT_TO_LEFT.test(text)) ? `${ISOLATE}${text}${END}` : text
}

/** Needs no isolation, and may be a word that a message selects by. */
const ONE_WORD = /^[a-z-]*$/i

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** U+2068: the direction inside is that of the first letter. */
const ISOLATE = '\u2068'
const END = '\u2069'

function apart(values: Values | undefined): Values | undefined {
  if (values === undefined) return undefined
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]),
  )
}

/** A label as it is written inside a sentence or another label: in English “Request ID” as “request ID”. */
export function midSentence(label: string): string {
  const isName = /^.[^a-z]/.test(label)
  return isName || !spoken.locale.startsWith('en') ? label : label.slice(0, 1).toLowerCase() + label.slice(1)
}

/** Most texts have no values or tags, and need no parsing at all. */
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
