import { expect, it } from 'vitest'
import {
  keysOf,
  LIST_KEYS,
  SHORTCUT_GROUPS,
  WINDOW_KEYS,
  type PressedKeys,
} from '../../../renderer/commands/shortcuts.ts'
import { shortcutText } from '../../../renderer/ui/shortcut.ts'
import { t } from '../../../shared/language/translate.ts'

const NONE: PressedKeys = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (changes: Partial<PressedKeys>, isMac = false): string => keysOf({ ...NONE, ...changes }, isMac)

it('reads what is pressed, with Ctrl or ⌘, on keyboards with other letters and with signs elsewhere', () => {
  expect(pressed({ key: 'P', code: 'KeyP', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+P')
  expect(pressed({ key: 'o', code: 'KeyO', metaKey: true }, true)).toBe('Mod+O')
  expect(pressed({ key: 'щ', code: 'KeyO', ctrlKey: true })).toBe('Mod+O')
  expect(pressed({ key: '/', code: 'Digit7', ctrlKey: true, shiftKey: true })).toBe('Mod+/')
  expect(pressed({ key: 'ArrowUp', code: 'ArrowUp', altKey: true, shiftKey: true })).toBe('Alt+Shift+Up')
  expect(pressed({ key: ' ', code: 'Space' })).toBe('Space')
})

it('leaves Ctrl on a Mac to the system and to fields of text', () => {
  for (const [key, code] of [
    ['f', 'KeyF'],
    ['o', 'KeyO'],
    [' ', 'Space'],
  ] as const) {
    const keys = pressed({ key, code, ctrlKey: true }, true)
    expect([WINDOW_KEYS[keys], LIST_KEYS[keys]]).toEqual([undefined, undefined])
  }
})

it('lists every key that does something, and names each once in its group', () => {
  const listed = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys))
  for (const keys of [...Object.keys(WINDOW_KEYS), ...Object.keys(LIST_KEYS)]) expect(listed).toContain(keys)
  for (const { shortcuts } of SHORTCUT_GROUPS) {
    expect(new Set(shortcuts.map(({ label }) => t(label))).size).toBe(shortcuts.length)
    for (const { keys } of shortcuts) expect(keys).not.toEqual([])
  }
})

it('writes keys as the system does', () => {
  expect(['Mod+Shift+P', 'Alt+Up', 'Shift+Delete'].map((keys) => shortcutText(keys, true))).toEqual(['⌘⇧P', '⌥↑', '⇧⌦'])
  expect(['Mod+/', 'Alt+Shift+Up', 'PageUp'].map((keys) => shortcutText(keys, false))).toEqual([
    'Ctrl+/',
    'Alt+Shift+↑',
    'Page Up',
  ])
})
