// Every key of the window and its lists, for the code that handles them, the menus beside whose names they stand, and the
// sheet that lists them.

import type { MessageKey } from '../../shared/language/english.ts'
import { commandKeys, COMMANDS, COMMAND_NAMES, type NamedCommand } from '../../shared/ipc/menu-commands.ts'
import type { EntryAction } from '../actions/browse-actions.ts'

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
  // As in every browser and file manager. The menu bar names one key of a command, which is Ctrl+R here, too.
  'PC:F5': 'refresh',
}

/** Keys that work on a row of the list. */
export const LIST_KEYS: KeyTable<ListKeyAction> = {
  ...Object.fromEntries(
    COMMAND_NAMES.flatMap((command) => (COMMANDS[command].listKeys ?? []).map((keys) => [keys, command] as const)),
  ),
  Space: 'pause-or-resume',
  Enter: 'main-action',
  'Shift+Space': 'toggle-selected',
  // ⌘Space belongs to macOS.
  'PC:Mod+Space': 'toggle-selected',
  'Mod+A': 'select-all',
  Escape: 'clear',
}

/** Keys that work on a line of the browser, as alternatives. Return opens buckets and folders and downloads objects. */
export const ENTRY_KEYS: Readonly<Partial<Record<EntryAction, readonly string[]>>> = {
  open: ['Enter', 'Mac:Mod+Down'],
  download: ['Enter'],
  preview: ['Space'],
  'copy-key': ['Mod+C'],
  // Macs have ⌘I, which shows and hides the inspector.
  properties: ['PC:Alt+Enter'],
  rename: ['F2'],
  // Elsewhere Ctrl+Backspace deletes a word, and nothing that isn't typed.
  delete: ['Delete', 'Shift+Delete', 'Mac:Mod+Backspace'],
}

/** Keys that lead from a folder to the one around it. */
export const UP_KEYS = ['PC:Alt+Up', 'PC:Backspace', 'Mac:Mod+Up'] as const

/** Keys that work on a place in the sidebar. */
export const PLACE_KEYS = { up: ['Alt+Up'], down: ['Alt+Down'] } as const

/** Adds what a sheet is about to add, but paused. */
export const ADD_PAUSED_KEYS = 'Alt+Enter'

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
      { label: 'commands.shortcut.preview', keys: commandKeys('preview') },
      ...inList('main-action', 'start-now', 'open'),
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
      { label: 'commands.shortcut.menu', keys: ['PC:Shift+F10'] },
    ],
  },
  {
    title: 'commands.shortcuts.place',
    shortcuts: [
      { label: 'commands.shortcut.open-or-download', keys: ENTRY_KEYS.open ?? [] },
      { label: 'commands.shortcut.folder-above', keys: UP_KEYS },
      ...onEntry('preview', 'copy-key', 'properties', 'rename', 'delete'),
      { label: 'commands.shortcut.heads', keys: ['Up'] },
      { label: 'commands.shortcut.column-width', keys: ['Shift+Left', 'Shift+Right'] },
    ],
  },
  {
    title: 'commands.shortcuts.view',
    shortcuts: [
      ...anywhere('filter:all', 'filter:attention', 'filter:active', 'filter:waiting', 'filter:paused', 'filter:done'),
      ...anywhere('find', 'toggle-inspector'),
      // Shares its keys with another command, which carries it out while a place is shown.
      { label: labelOf('refresh'), keys: [...commandKeys('refresh'), 'PC:F5'] },
    ],
  },
  {
    title: 'commands.shortcuts.window',
    shortcuts: [
      ...anywhere('next-pane', 'previous-pane', 'settings', 'shortcuts'),
      { label: 'commands.shortcut.move-place', keys: Object.values(PLACE_KEYS).flat() },
      { label: 'commands.shortcut.main-button', keys: ['Mod+Enter'] },
      { label: 'sheets.add-paused', keys: [ADD_PAUSED_KEYS] },
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

function onEntry(...all: readonly EntryAction[]): readonly Shortcut[] {
  return all.map((does) => {
    const label: MessageKey = `browser.action.${does}`
    return { label, keys: ENTRY_KEYS[does] ?? [] }
  })
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
