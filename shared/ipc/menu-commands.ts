// Every command of the menu bar: its keys, and its name, which context menus and the list of shortcuts also use.

import { t } from '../language/translate.ts'
import type { PlaceId } from '../place/place.ts'
import type { Column, SortColumn } from '../transfer/queue-view.ts'
import type { TransferGroup } from '../transfer/transfer-group.ts'

/** Keys are written like `Mod+Shift+P`; `Mod` is ⌘ on a Mac and Ctrl elsewhere, and `Mac:` stands before what only Macs have. */
interface CommandKeys {
  /** Work anywhere in the window. */
  readonly keys?: string
  /** Work in the list of transfers, when a row has focus. */
  readonly listKeys?: readonly [string, ...string[]]
}

const KEYS = {
  upload: { keys: 'Mod+O' },
  'upload-folder': { keys: 'Mod+Shift+U' },
  download: { keys: 'Mod+Shift+O' },
  'add-place': {},
  settings: { keys: 'Mod+,' },
  find: { keys: 'Mod+F' },
  'copy-details': { keys: 'Mod+Shift+C' },
  // Space does what it can of these, the first of them first.
  pause: { listKeys: ['Space'] },
  resume: { listKeys: ['Space'] },
  'start-now': { listKeys: ['Mod+Enter'] },
  retry: { keys: 'Mod+R' },
  review: {},
  relink: {},
  'edit-place': {},
  limit: {},
  'open-when-done': {},
  'move-top': { listKeys: ['Alt+Shift+Up'] },
  'move-up': { listKeys: ['Alt+Up'] },
  'move-down': { listKeys: ['Alt+Down'] },
  'move-bottom': { listKeys: ['Alt+Shift+Down'] },
  preview: { listKeys: ['Space'] },
  open: { listKeys: ['Shift+Enter'] },
  reveal: { keys: 'Mod+Shift+F' },
  'copy-link': {},
  'show-in-place': {},
  'save-parts': {},
  'start-over': {},
  cancel: { listKeys: ['Shift+Delete', 'Mac:Shift+Backspace'] },
  remove: { listKeys: ['Delete', 'Mac:Backspace'] },
  'pause-all': { keys: 'Mod+Shift+P' },
  'resume-all': { keys: 'Mod+Shift+R' },
  'clear-done': {},
  refresh: { keys: 'Mod+R' },
  'compact-rows': {},
  'toggle-inspector': { keys: 'Mod+I' },
  'unfinished-uploads': {},
  'import-places': {},
  'export-places': {},
  shortcuts: { keys: 'Mod+/' },
  'save-report': {},
  about: {},
  'filter:all': { keys: 'Mod+1' },
  'filter:attention': { keys: 'Mod+2' },
  'filter:active': { keys: 'Mod+3' },
  'filter:waiting': { keys: 'Mod+4' },
  'filter:paused': { keys: 'Mod+5' },
  'filter:done': { keys: 'Mod+6' },
  'sort:none': {},
  'sort:name': {},
  'sort:progress': {},
  'sort:speed': {},
  'sort:left': {},
  'sort:size': {},
  'sort:place': {},
  'sort:added': {},
  'column:progress': {},
  'column:speed': {},
  'column:left': {},
  'column:place': {},
  'column:size': {},
  'column:added': {},
} satisfies Record<string, CommandKeys> &
  Record<`filter:${'all' | TransferGroup}` | `sort:${'none' | SortColumn}` | `column:${Column}`, CommandKeys>

/** A command that is fully described by its name. */
export type NamedCommand = keyof typeof KEYS

/** A command that the menu bar sends to the window. `undo` brings back removed transfers, unless a field has the focus. */
export type MenuCommand = NamedCommand | 'undo' | `place:${PlaceId}`

export const COMMANDS: Readonly<Record<NamedCommand, CommandKeys>> = KEYS

export const COMMAND_NAMES = Object.keys(KEYS) as readonly NamedCommand[]

/** The keys of a command, as alternatives. */
export function commandKeys(command: NamedCommand): readonly string[] {
  const { keys, listKeys = [] } = COMMANDS[command]
  return keys === undefined ? listKeys : [keys]
}

/** The name of a command, in sentence case. */
export function commandLabel(command: NamedCommand): string {
  return t(`commands.name.${command}`)
}

/** What the menu bar has to know about the window. */
export interface MenuFacts {
  /** Commands that are available now; none while a sheet is open. */
  readonly able: readonly NamedCommand[]
  /** Commands with a tick: the current filter, order and columns, compact rows, and the inspector if it is open. */
  readonly ticked: readonly NamedCommand[]
}
