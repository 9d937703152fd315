// Keys as tables write them, such as `Mod+Shift+P`: read from the keyboard, and written for people and screen readers. Keys
// that only Macs have, or that mean something else there, are written `Mac:Backspace`, and the others' own `PC:Mod+Space`.

import { currentSystem } from '../../shared/language/translate.ts'

const SIGNS: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↵',
  Backspace: '⌫',
  Delete: '⌦',
}
const WORDS: Readonly<Record<string, string>> = { Mod: 'Ctrl' }
const NAMES: Readonly<Record<string, string>> = {
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  Escape: 'Esc',
}

/**
 * Keys such as `Mod+Shift+P` as the system writes them: ⌘⇧P on a Mac, Ctrl+Shift+P elsewhere. Pure except for the
 * default.
 */
export function shortcutText(keys: string, isMac = currentSystem() === 'darwin'): string {
  const own = isMac ? SIGNS : WORDS
  const parts = keys.split('+').map((key) => own[key] ?? NAMES[key] ?? key)
  return isMac ? parts.join('') : parts.join('+')
}

const [ON_MACS, ELSEWHERE] = ['Mac:', 'PC:']

/**
 * Those keys that the system has, without its mark. On a Mac ⌦ works as well, but its own keyboards lack that, so it is
 * left out. Pure except for the default.
 */
export function ownKeys(all: readonly string[], isMac = currentSystem() === 'darwin'): readonly string[] {
  const [own, foreign] = isMac ? [ON_MACS, ELSEWHERE] : [ELSEWHERE, ON_MACS]
  return all
    .filter((keys) => !keys.startsWith(foreign) && !(isMac && keys.endsWith('Delete')))
    .map((keys) => (keys.startsWith(own) ? keys.slice(own.length) : keys))
}

/** What a table says of the pressed keys. Pure except for the default. */
export function inTable<Does>(
  table: Readonly<Record<string, Does>>,
  pressed: PressedKeys,
  isMac = currentSystem() === 'darwin',
): Does | undefined {
  const keys = keysOf(pressed, isMac)
  return table[keys] ?? table[`${isMac ? ON_MACS : ELSEWHERE}${keys}`]
}

/** Whether the key that adds to a selection, or begins a command, is held: ⌘ on a Mac, Ctrl elsewhere. */
export function holdsMod(
  { ctrlKey, metaKey }: Pick<PressedKeys, 'ctrlKey' | 'metaKey'>,
  isMac = currentSystem() === 'darwin',
): boolean {
  return isMac ? metaKey : ctrlKey
}

const ARIA: Readonly<Record<string, string>> = {
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
}

/** Alternative keys as `aria-keyshortcuts` has them (WAI-ARIA 1.2, 6.6). Pure except for the default. */
export function ariaKeys(all: readonly string[], isMac = currentSystem() === 'darwin'): string {
  const name = (key: string): string => (key === 'Mod' ? (isMac ? 'Meta' : 'Control') : (ARIA[key] ?? key))
  return ownKeys(all, isMac)
    .map((keys) => keys.split('+').map(name).join('+'))
    .join(' ')
}

const PRESSED: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
}

export type PressedKeys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * The pressed keys, written like `Mod+Shift+P`. `Mod` is Ctrl, or ⌘ on a Mac, where Ctrl belongs to the system and to
 * text fields. Keys held with the other modifier are written as no table writes them. Pure except for the default.
 */
export function keysOf(
  { key, code, ctrlKey, metaKey, altKey, shiftKey }: PressedKeys,
  isMac = currentSystem() === 'darwin',
): string {
  // On a keyboard with non-Latin letters, go by the position of the key.
  const latin = /^Key[A-Z]$/.test(code) && !/^[\x20-\x7e]$/.test(key) ? code.slice('Key'.length) : key
  const name = PRESSED[latin] ?? (latin.length === 1 ? latin.toUpperCase() : latin)
  // Whether a sign needs Shift depends on the keyboard layout.
  const isSign = name.length === 1 && !/[A-Z0-9]/.test(name)
  const [mod, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  const held = [other ? 'Other' : '', mod ? 'Mod' : '', altKey ? 'Alt' : '', shiftKey && !isSign ? 'Shift' : '', name]
  return held.filter((part) => part !== '').join('+')
}
