// Every command of the menu bar: its name, which context menus and the list of shortcuts use too, and its keys.

import type { PlaceId } from '../place/place.ts'
import type { Column, SortColumn } from '../transfer/queue-view.ts'
import type { TransferGroup } from '../transfer/transfer-group.ts'

/** Keys are written `Mod+Shift+P`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
interface CommandText {
  readonly label: string
  /** Anywhere in the window. */
  readonly keys?: string
  /** In the list of transfers, where a row has focus. */
  readonly listKeys?: readonly [string, ...string[]]
}

const TEXTS = {
  upload: { label: 'Upload files…', keys: 'Mod+O' },
  'upload-folder': { label: 'Upload folder…', keys: 'Mod+Shift+U' },
  download: { label: 'Download…', keys: 'Mod+Shift+O' },
  'add-place': { label: 'Add place…' },
  settings: { label: 'Settings…', keys: 'Mod+,' },
  find: { label: 'Find', keys: 'Mod+F' },
  'copy-details': { label: 'Copy details', keys: 'Mod+Shift+C' },
  pause: { label: 'Pause' },
  resume: { label: 'Resume' },
  'start-now': { label: 'Start now', listKeys: ['Mod+Enter'] },
  retry: { label: 'Retry', keys: 'Mod+R' },
  review: { label: 'Review earlier upload…' },
  relink: { label: 'Paste new link…' },
  'edit-place': { label: 'Edit place…' },
  limit: { label: 'Limit…' },
  'open-when-done': { label: 'Open when done' },
  'move-top': { label: 'Move to top', listKeys: ['Alt+Shift+Up'] },
  'move-up': { label: 'Move up', listKeys: ['Alt+Up'] },
  'move-down': { label: 'Move down', listKeys: ['Alt+Down'] },
  'move-bottom': { label: 'Move to bottom', listKeys: ['Alt+Shift+Down'] },
  open: { label: 'Open' },
  reveal: { label: 'Show in folder', keys: 'Mod+Shift+F' },
  'copy-link': { label: 'Copy link…' },
  'show-in-place': { label: 'Show in place' },
  'save-parts': { label: 'Save parts list…' },
  'start-over': { label: 'Start over…' },
  'let-go': { label: 'Remove, keep the parts' },
  cancel: { label: 'Discard…', listKeys: ['Shift+Delete', 'Shift+Backspace'] },
  remove: { label: 'Remove from list', listKeys: ['Delete', 'Backspace'] },
  'pause-all': { label: 'Pause all', keys: 'Mod+Shift+P' },
  'resume-all': { label: 'Resume all', keys: 'Mod+Shift+R' },
  'clear-done': { label: 'Clear done' },
  refresh: { label: 'Refresh', keys: 'Mod+R' },
  'toggle-inspector': { label: 'Inspector', keys: 'Mod+I' },
  'unfinished-uploads': { label: 'Unfinished uploads…' },
  'import-places': { label: 'Import places…' },
  'export-places': { label: 'Export places…' },
  shortcuts: { label: 'Keyboard shortcuts', keys: 'Mod+/' },
  'save-report': { label: 'Save report…' },
  about: { label: 'About Sluice' },
  'filter:all': { label: 'All', keys: 'Mod+1' },
  'filter:attention': { label: 'Needs you', keys: 'Mod+2' },
  'filter:active': { label: 'Active', keys: 'Mod+3' },
  'filter:waiting': { label: 'Waiting', keys: 'Mod+4' },
  'filter:paused': { label: 'Paused', keys: 'Mod+5' },
  'filter:done': { label: 'Done', keys: 'Mod+6' },
  'sort:none': { label: 'Queue order' },
  'sort:name': { label: 'Name' },
  'sort:progress': { label: 'Progress' },
  'sort:speed': { label: 'Speed' },
  'sort:left': { label: 'Time left' },
  'sort:size': { label: 'Size' },
  'sort:place': { label: 'Place' },
  'sort:added': { label: 'Date added' },
  'column:progress': { label: 'Progress' },
  'column:speed': { label: 'Speed' },
  'column:left': { label: 'Time left' },
  'column:place': { label: 'Place' },
  'column:size': { label: 'Size' },
  'column:added': { label: 'Date added' },
} satisfies Record<string, CommandText> &
  Record<`filter:${'all' | TransferGroup}` | `sort:${'none' | SortColumn}` | `column:${Column}`, CommandText>

/** A command that needs no more than its name. */
export type NamedCommand = keyof typeof TEXTS

/** What the menu bar asks of the window. */
export type MenuCommand = NamedCommand | `place:${PlaceId}`

export const COMMANDS: Readonly<Record<NamedCommand, CommandText>> = TEXTS

export const COMMAND_NAMES = Object.keys(TEXTS) as readonly NamedCommand[]

/** How a command is called, in lower case after its first letter. */
export function commandLabel(command: NamedCommand): string {
  return COMMANDS[command].label
}

/** What the menu bar has to know of the window. */
export interface MenuFacts {
  /** Commands that do something now; with a sheet open none. */
  readonly able: readonly NamedCommand[]
  /** Filter, order and columns that are shown, and whether the inspector is: these have a tick. */
  readonly ticked: readonly NamedCommand[]
}
