import { expect, it } from 'vitest'
import { ENTRY_KEYS, LIST_KEYS, SHORTCUT_GROUPS, WINDOW_KEYS } from '../../../renderer/commands/shortcuts.ts'
import { ariaKeys, keysOf, ownKeys, shortcutText, type PressedKeys } from '../../../renderer/ui/shortcut.ts'
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
  const all = [...Object.keys(WINDOW_KEYS), ...Object.keys(LIST_KEYS), ...Object.values(ENTRY_KEYS).flat()]
  for (const keys of all) expect(listed).toContain(keys)
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

it('offers the keys that a keyboard of the system has, in the form that screen readers take', () => {
  const keys = ['Delete', 'Shift+Delete', 'Mod+Backspace']
  expect([ownKeys(keys, true), ownKeys(keys, false)]).toEqual([['Mod+Backspace'], ['Delete', 'Shift+Delete']])
  expect(ariaKeys(keys, true)).toBe('Meta+Backspace')
  expect(ariaKeys(keys, false)).toBe('Delete Shift+Delete')
  expect(ariaKeys(['Alt+Shift+Up', 'Mod+Shift+P'], false)).toBe('Alt+Shift+ArrowUp Control+Shift+P')
})
