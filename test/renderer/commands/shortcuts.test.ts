import { expect, it } from 'vitest'
import { ENTRY_KEYS, LIST_KEYS, SHORTCUT_GROUPS, UP_KEYS, WINDOW_KEYS } from '../../../renderer/commands/shortcuts.ts'
import {
  ariaKeys,
  holdsMod,
  inTable,
  keysOf,
  ownKeys,
  shortcutText,
  type PressedKeys,
} from '../../../renderer/ui/shortcut.ts'
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

it('deletes and removes with ⌫ on a Mac only, and goes to the folder above by what each system has for that', () => {
  const entryKeys = Object.fromEntries((ENTRY_KEYS.delete ?? []).map((keys) => [keys, 'delete']))
  const upKeys = Object.fromEntries(UP_KEYS.map((keys) => [keys, 'up']))
  const back = { ...NONE, key: 'Backspace', code: 'Backspace' }
  const [withMod, withCtrl] = [
    { ...back, metaKey: true },
    { ...back, ctrlKey: true },
  ]
  expect([inTable(entryKeys, withMod, true), inTable(entryKeys, withCtrl, false)]).toEqual(['delete', undefined])
  expect([inTable(LIST_KEYS, back, true), inTable(LIST_KEYS, back, false)]).toEqual(['remove', undefined])
  const shifted = { ...back, shiftKey: true }
  expect([inTable(LIST_KEYS, shifted, true), inTable(LIST_KEYS, shifted, false)]).toEqual(['cancel', undefined])
  expect([inTable(upKeys, back, true), inTable(upKeys, back, false)]).toEqual([undefined, 'up'])
  expect(inTable(upKeys, withCtrl, false)).toBeUndefined()
  const del = { ...NONE, key: 'Delete', code: 'Delete' }
  for (const isMac of [true, false])
    expect([inTable(LIST_KEYS, del, isMac), inTable(entryKeys, del, isMac)]).toEqual(['remove', 'delete'])
  const arrow = { ...NONE, key: 'ArrowUp', code: 'ArrowUp' }
  expect(inTable(upKeys, { ...arrow, metaKey: true }, true)).toBe('up')
  expect([
    inTable(upKeys, { ...arrow, altKey: true }, true),
    inTable(upKeys, { ...arrow, altKey: true }, false),
  ]).toEqual([undefined, 'up'])
})

it('takes for the key of the selection what the system does: a click with Ctrl opens the menu on a Mac', () => {
  const [ctrl, meta] = [
    { ctrlKey: true, metaKey: false },
    { ctrlKey: false, metaKey: true },
  ]
  expect([holdsMod(ctrl, true), holdsMod(meta, true)]).toEqual([false, true])
  expect([holdsMod(ctrl, false), holdsMod(meta, false)]).toEqual([true, false])
})

it('lists every key that does something, and names each once in its group', () => {
  const listed = SHORTCUT_GROUPS.flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys))
  const all = [...Object.keys(WINDOW_KEYS), ...Object.keys(LIST_KEYS), ...Object.values(ENTRY_KEYS).flat(), ...UP_KEYS]
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
  const keys = ['Delete', 'Shift+Delete', 'Mac:Mod+Backspace']
  expect([ownKeys(keys, true), ownKeys(keys, false)]).toEqual([['Mod+Backspace'], ['Delete', 'Shift+Delete']])
  expect(ariaKeys(keys, true)).toBe('Meta+Backspace')
  expect(ariaKeys(keys, false)).toBe('Delete Shift+Delete')
  expect(ariaKeys(['Alt+Shift+Up', 'Mod+Shift+P'], false)).toBe('Alt+Shift+ArrowUp Control+Shift+P')
})
