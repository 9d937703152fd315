const SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵', Up: '↑', Down: '↓' }
const WORDS: Readonly<Record<string, string>> = { Mod: 'Ctrl', Up: '↑', Down: '↓' }

/**
 * Keys such as `Mod+Shift+P` as the system writes them: ⌘⇧P on a Mac, Ctrl+Shift+P elsewhere. Pure but for the default.
 */
export function shortcutText(keys: string, isMac = /Mac/.test(navigator.userAgent)): string {
  const parts = keys.split('+')
  return isMac ? parts.map((key) => SIGNS[key] ?? key).join('') : parts.map((key) => WORDS[key] ?? key).join('+')
}
