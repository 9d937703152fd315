// The keys of the window and of the list of transfers. Those who handle them look here, and so does the sheet that
// lists them.

import { COMMANDS, COMMAND_NAMES, commandLabel, type NamedCommand } from '../../shared/ipc/menu-commands.ts'

/** What keys do beside the commands of the menu bar. */
export type WindowKeyAction = 'next-pane' | 'previous-pane'
type ListKeyAction = 'pause-or-resume' | 'main-action' | 'toggle-selected' | 'select-all' | 'clear'
type KeyAction = WindowKeyAction | ListKeyAction

export interface Shortcut {
  readonly label: string
  /** Written `Mod+Shift+P`; each of them does it. */
  readonly keys: readonly string[]
}

type KeyTable<Action> = Readonly<Record<string, NamedCommand | Action>>

/** Anywhere in the window, while no sheet is open. */
export const WINDOW_KEYS: KeyTable<WindowKeyAction> = {
  ...Object.fromEntries(
    // What has the same keys as an earlier one is carried out by it.
    COMMAND_NAMES.toReversed().flatMap((command) => {
      const { keys } = COMMANDS[command]
      return keys === undefined ? [] : [[keys, command] as const]
    }),
  ),
  F6: 'next-pane',
  'Shift+F6': 'previous-pane',
}

/** On a row of the list. */
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

const ACTION_LABELS: Readonly<Record<KeyAction, string>> = {
  'next-pane': 'Next part of the window',
  'previous-pane': 'Previous part of the window',
  'pause-or-resume': 'Pause or resume',
  'main-action': 'Main action of the row',
  'toggle-selected': 'Select or deselect a row',
  'select-all': 'Select all',
  clear: 'Clear the filter, then the selection',
}

/** All of them, as people look for them. */
export const SHORTCUT_GROUPS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Transfers',
    shortcuts: [
      ...anywhere('upload', 'upload-folder', 'download'),
      { label: 'Add copied files or links', keys: ['Mod+V'] },
      ...anywhere('pause-all', 'resume-all'),
    ],
  },
  {
    title: 'Selected transfers',
    shortcuts: [
      ...inList('pause-or-resume', 'main-action', 'start-now'),
      ...anywhere('retry', 'reveal', 'copy-details'),
      ...inList('move-up', 'move-down', 'move-top', 'move-bottom', 'remove', 'cancel'),
    ],
  },
  {
    title: 'List',
    shortcuts: [
      { label: 'Previous or next row', keys: ['Up', 'Down'] },
      { label: 'A page up or down', keys: ['PageUp', 'PageDown'] },
      { label: 'First or last row', keys: ['Home', 'End'] },
      { label: 'Jump to a name by typing it', keys: ['A … Z'] },
      { label: 'Buttons of a row; close or open a group', keys: ['Left', 'Right'] },
      { label: 'Select more rows', keys: ['Shift+Up', 'Shift+Down'] },
      ...inList('toggle-selected', 'select-all', 'clear'),
      { label: 'Menu of the row', keys: ['Shift+F10'] },
    ],
  },
  {
    title: 'View',
    shortcuts: [
      ...anywhere('filter:all', 'filter:attention', 'filter:active', 'filter:waiting', 'filter:paused', 'filter:done'),
      ...anywhere('find', 'toggle-inspector'),
      // On the same keys as another command, which carries it out where a place is shown.
      { label: commandLabel('refresh'), keys: [COMMANDS.refresh.keys ?? ''] },
    ],
  },
  {
    title: 'Window',
    shortcuts: [
      ...anywhere('next-pane', 'previous-pane', 'settings', 'shortcuts'),
      { label: 'Close the sheet', keys: ['Escape'] },
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

function labelOf(does: Does): string {
  return does in ACTION_LABELS ? ACTION_LABELS[does as KeyAction] : commandLabel(does as NamedCommand)
}

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
}

export type PressedKeys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What was pressed, written as in the tables. ⌘ and Ctrl are the same. Pure. */
export function keysOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: PressedKeys): string {
  // Where the keyboard has other letters, the key counts that has the Latin one elsewhere.
  const latin = /^Key[A-Z]$/.test(code) && !/^[\x20-\x7e]$/.test(key) ? code.slice('Key'.length) : key
  const name = NAMES[latin] ?? (latin.length === 1 ? latin.toUpperCase() : latin)
  // Where a sign is on the keyboard decides whether it takes Shift.
  const isSign = name.length === 1 && !/[A-Z0-9]/.test(name)
  const held = [ctrlKey || metaKey ? 'Mod' : '', altKey ? 'Alt' : '', shiftKey && !isSign ? 'Shift' : '', name]
  return held.filter((part) => part !== '').join('+')
}
