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
