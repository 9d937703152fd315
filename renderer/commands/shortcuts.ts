// The keys of the window and of the list of transfers, for the code that handles them and the sheet that lists them.

import type { MessageKey } from '../../shared/language/english.ts'
import { currentSystem } from '../../shared/language/translate.ts'
import { COMMANDS, COMMAND_NAMES, type NamedCommand } from '../../shared/ipc/menu-commands.ts'

/** Actions of keys other than the commands of the menu bar. */
export type WindowKeyAction = 'next-pane' | 'previous-pane' | 'undo'
type ListKeyAction = 'pause-or-resume' | 'main-action' | 'toggle-selected' | 'select-all' | 'clear'
type KeyAction = WindowKeyAction | ListKeyAction

export interface Shortcut {
  readonly label: MessageKey
  /** Alternative keys, written like `Mod+Shift+P`. */
  readonly keys: readonly string[]
}

type KeyTable<Action> = Readonly<Record<string, NamedCommand | Action>>

/** Keys that work anywhere in the window while no sheet is open. */
export const WINDOW_KEYS: KeyTable<WindowKeyAction> = {
  ...Object.fromEntries(
    // Reversed, so that of two commands with the same keys the first one wins.
    COMMAND_NAMES.toReversed().flatMap((command) => {
      const { keys } = COMMANDS[command]
      return keys === undefined ? [] : [[keys, command] as const]
    }),
  ),
  F6: 'next-pane',
  'Shift+F6': 'previous-pane',
  'Mod+Z': 'undo',
}

/** Keys that work on a row of the list. */
export const LIST_KEYS: KeyTable<ListKeyAction> = {
  ...Object.fromEntries(
    COMMAND_NAMES.flatMap((command) => (COMMANDS[command].listKeys ?? []).map((keys) => [keys, command] as const)),
  ),
  Space: 'pause-or-resume',
  Enter: 'main-action',
  'Shift+Space': 'toggle-selected',
  'Mod+Space': 'toggle-selected',
  'Mod+A': 'select-all',
  Escape: 'clear',
}

/** All shortcuts, grouped as people look for them. */
export const SHORTCUT_GROUPS: readonly { readonly title: MessageKey; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'commands.shortcuts.transfers',
    shortcuts: [
      ...anywhere('upload', 'upload-folder', 'download'),
      { label: 'commands.shortcut.add-copied', keys: ['Mod+V'] },
      ...anywhere('pause-all', 'resume-all'),
    ],
  },
  {
    title: 'commands.shortcuts.selected',
    shortcuts: [
      ...inList('pause-or-resume'),
      { label: 'commands.shortcut.preview', keys: ['Space'] },
      ...inList('main-action', 'start-now'),
      ...anywhere('retry', 'reveal', 'copy-details'),
      ...inList('move-up', 'move-down', 'move-top', 'move-bottom', 'remove', 'cancel'),
    ],
  },
  {
    title: 'commands.shortcuts.list',
    shortcuts: [
      { label: 'commands.shortcut.next-row', keys: ['Up', 'Down'] },
      { label: 'commands.shortcut.page', keys: ['PageUp', 'PageDown'] },
      { label: 'commands.shortcut.ends', keys: ['Home', 'End'] },
      { label: 'commands.shortcut.type-ahead', keys: ['A … Z'] },
      { label: 'commands.shortcut.cells', keys: ['Left', 'Right'] },
      { label: 'commands.shortcut.select-more', keys: ['Shift+Up', 'Shift+Down'] },
      ...inList('toggle-selected', 'select-all', 'clear'),
      ...anywhere('undo'),
      { label: 'commands.shortcut.menu', keys: ['Shift+F10'] },
    ],
  },
  {
    title: 'commands.shortcuts.place',
    shortcuts: [
      { label: 'commands.shortcut.open-or-download', keys: ['Enter'] },
      { label: 'commands.shortcut.folder-above', keys: ['Alt+Up'] },
      { label: 'browser.action.preview', keys: ['Space'] },
      { label: 'browser.action.copy-key', keys: ['Mod+C'] },
      { label: 'browser.action.properties', keys: ['Alt+Enter'] },
      { label: 'browser.action.rename', keys: ['F2'] },
      { label: 'browser.action.delete', keys: ['Delete', 'Mod+Backspace'] },
    ],
  },
  {
    title: 'commands.shortcuts.view',
    shortcuts: [
      ...anywhere('filter:all', 'filter:attention', 'filter:active', 'filter:waiting', 'filter:paused', 'filter:done'),
      ...anywhere('find', 'toggle-inspector'),
      // Shares its keys with another command, which carries it out while a place is shown.
      { label: labelOf('refresh'), keys: [COMMANDS.refresh.keys ?? ''] },
    ],
  },
  {
    title: 'commands.shortcuts.window',
    shortcuts: [
      ...anywhere('next-pane', 'previous-pane', 'settings', 'shortcuts'),
      { label: 'commands.shortcut.main-button', keys: ['Mod+Enter'] },
      { label: 'commands.shortcut.close', keys: ['Escape'] },
    ],
  },
]

type Does = NamedCommand | KeyAction

function anywhere(...all: readonly Does[]): readonly Shortcut[] {
  return all.map((does) => ({ label: labelOf(does), keys: keysFor(WINDOW_KEYS, does) }))
}

function inList(...all: readonly Does[]): readonly Shortcut[] {
  return all.map((does) => ({ label: labelOf(does), keys: keysFor(LIST_KEYS, does) }))
}

function keysFor(table: KeyTable<KeyAction>, does: Does): readonly string[] {
  return Object.keys(table).filter((keys) => table[keys] === does)
}

function labelOf(does: Does): MessageKey {
  return isCommand(does) ? `commands.name.${does}` : `commands.shortcut.${does}`
}

function isCommand(does: Does): does is NamedCommand {
  return Object.hasOwn(COMMANDS, does)
}

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
}

export type PressedKeys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * The pressed keys, written as in the tables. `Mod` is Ctrl, or ⌘ on a Mac, where Ctrl belongs to the system and to
 * text fields. Keys held with the other modifier match no table. Pure except for the default.
 */
export function keysOf(
  { key, code, ctrlKey, metaKey, altKey, shiftKey }: PressedKeys,
  isMac = currentSystem() === 'darwin',
): string {
  // On a keyboard with non-Latin letters, go by the position of the key.
  const latin = /^Key[A-Z]$/.test(code) && !/^[\x20-\x7e]$/.test(key) ? code.slice('Key'.length) : key
  const name = NAMES[latin] ?? (latin.length === 1 ? latin.toUpperCase() : latin)
  // Whether a sign needs Shift depends on the keyboard layout.
  const isSign = name.length === 1 && !/[A-Z0-9]/.test(name)
  const [mod, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  const held = [other ? 'Other' : '', mod ? 'Mod' : '', altKey ? 'Alt' : '', shiftKey && !isSign ? 'Shift' : '', name]
  return held.filter((part) => part !== '').join('+')
}
