import type { MenuItemConstructorOptions } from 'electron'
import { WHEN_DONE, type WhenDone } from '../../../shared/ipc/desktop-requests.ts'
import {
  commandLabel,
  COMMANDS,
  type MenuCommand,
  type MenuFacts,
  type NamedCommand,
} from '../../../shared/ipc/menu-commands.ts'
import { currentLanguage, t } from '../../../shared/language/translate.ts'
import type { Place } from '../../../shared/place/place.ts'
import { COLUMNS, SORT_COLUMNS } from '../../../shared/transfer/queue-view.ts'
import { limitWords, offeredLimits } from '../../../shared/format/limit-words.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import type { PauseTime } from '../../services/scheduling/pause-time.ts'

type Item = MenuItemConstructorOptions

/** What determines the menu bar. */
export interface MenuState {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  /** Null until a window has reported. */
  readonly facts: MenuFacts | null
  readonly places: readonly Pick<Place, 'id' | 'name'>[]
  /** Limit of all transfers together in bytes per second; null for none. */
  readonly limitBytesPerSecond: number | null
  readonly isLowSpeed: boolean
  readonly whenDone: WhenDone
  /** Whether there is a server to ask for newer versions. */
  readonly canUpdate: boolean
  /** Whether a newer version is downloaded and can be installed. */
  readonly isUpdateReady: boolean
}

export interface MenuActions {
  readonly send: (command: MenuCommand) => void
  /** Undoes what was typed in the field that has the focus, or else the last removal. */
  readonly undo: () => void
  readonly limit: (bytesPerSecond: number | null) => void
  /** Toggles low speed by its current state: the item outlives the state it was made with. */
  readonly toggleLowSpeed: () => void
  readonly pauseFor: (time: PauseTime) => void
  readonly whenDone: (what: WhenDone) => void
  readonly showLog: () => void
  readonly checkDatabase: () => void
  readonly checkForUpdates: () => void
  /** Puts the command line on the PATH on a Mac, where the installer doesn't. */
  readonly installCommand: () => void
  readonly quit: () => void
}

const SEPARATOR: Item = { type: 'separator' }

/** Builds the menu bar. What can't act now is disabled, never left out. Items have ids so they can be changed. Pure. */
export function menuTemplate(state: MenuState, actions: MenuActions): Item[] {
  const isMac = state.platform === 'darwin'
  const item = itemsOf(state, actions)
  const settings = item('settings')
  const updates: Item = {
    id: 'check-updates',
    label: t('shell.menu.check-updates'),
    enabled: state.canUpdate,
    click: actions.checkForUpdates,
  }
  const installCommand: Item = {
    id: 'install-command',
    label: t('shell.menu.install-command'),
    enabled: state.isPackaged,
    click: actions.installCommand,
  }
  const quit: Item = {
    id: 'quit',
    label: t(isMac ? 'shell.menu.quit-mac' : state.platform === 'win32' ? 'shell.menu.exit' : 'shell.menu.quit'),
    accelerator: 'CmdOrCtrl+Q',
    click: actions.quit,
  }
  const file = [
    ...[item('upload'), item('upload-folder'), item('download'), SEPARATOR, item('add-place'), SEPARATOR],
    ...(isMac ? [{ role: 'close', label: t('shell.menu.close-window') } as const] : [settings, SEPARATOR, quit]),
  ]
  const menus: readonly Item[] = [
    ...(isMac ? [appMenu(item, [updates, installCommand], quit)] : []),
    { label: t('shell.menu.file'), submenu: file },
    editMenu(item, actions),
    { label: t('shell.menu.transfer'), submenu: transferItems(item, state, actions) },
    viewMenu(item, state.isPackaged),
    placesMenu(item, state, actions),
    windowMenu(isMac),
    {
      role: 'help',
      label: t('shell.menu.help'),
      submenu: [
        item('shortcuts'),
        { id: 'show-log', label: t('shell.menu.show-log'), click: actions.showLog },
        item('save-report'),
        { id: 'check-list', label: t('shell.menu.check-database'), click: actions.checkDatabase },
        ...(isMac ? [] : [SEPARATOR, updates, item('about')]),
      ],
    },
  ]
  return isMac && currentLanguage().locale.startsWith('en') ? menus.map(titled) : [...menus]
}

/** The titles of the menus of a bar in the window, first to last. */
export function menuTitles(): readonly string[] {
  const names = ['file', 'edit', 'transfer', 'view', 'places', 'window', 'help'] as const
  return names.map((name) => t(`shell.menu.${name}`))
}

type ToItem = (command: NamedCommand, type?: Item['type']) => Item

function itemsOf({ platform, facts }: MenuState, { send }: MenuActions): ToItem {
  const able = new Set(facts?.able)
  const ticked = new Set(facts?.ticked)
  return (command, type) => ({
    id: command,
    label: commandLabel(command),
    // Until a window has reported, nothing is known to stand in the way.
    enabled: facts === null || able.has(command),
    click: () => send(command),
    ...(type === undefined ? {} : { type, checked: ticked.has(command) }),
    ...acceleratorOf(command, platform),
  })
}

/** Shows the list's keys but leaves them to the list, since text fields use them too. macOS can't only show them. */
function acceleratorOf(command: NamedCommand, platform: NodeJS.Platform): Partial<Item> {
  const { keys, listKeys } = COMMANDS[command]
  if (keys !== undefined) return { accelerator: electronKeys(keys) }
  if (listKeys === undefined || platform === 'darwin') return {}
  return { accelerator: electronKeys(listKeys[0]), registerAccelerator: false }
}

function electronKeys(keys: string): string {
  return keys.replace('Mod', 'CmdOrCtrl')
}

const SMALL_WORDS: ReadonlySet<string> = new Set(['a', 'and', 'for', 'from', 'in', 'of', 'on', 'the', 'to'])
/** These are labeled with a person's own words, and with amounts. */
const OWN_LABELS = /^(place|limit):/

/** Capitalizes an item and those below it as English menus of macOS are: "Move to Top", "Zoom In". */
function titled(item: Item): Item {
  const { id, label, submenu } = item
  return {
    ...item,
    ...(label !== undefined && !OWN_LABELS.test(id ?? '') && { label: titleOf(label) }),
    ...(Array.isArray(submenu) && { submenu: submenu.map(titled) }),
  }
}

function titleOf(label: string): string {
  return label.replace(/\b[a-z]\w*/g, (word, at: number) => {
    const isLast = at + word.length === label.length
    return SMALL_WORDS.has(word) && !isLast ? word : word[0]?.toUpperCase() + word.slice(1)
  })
}

function editMenu(item: ToItem, { undo }: MenuActions): Item {
  return {
    label: t('shell.menu.edit'),
    submenu: [
      // Not the role, which knows only fields.
      { id: 'undo', label: t('shell.menu.undo'), accelerator: 'CmdOrCtrl+Z', click: undo },
      { role: 'redo', label: t('shell.menu.redo') },
      SEPARATOR,
      { role: 'cut', label: t('shell.menu.cut') },
      { role: 'copy', label: t('shell.menu.copy') },
      { role: 'paste', label: t('shell.menu.paste') },
      { role: 'selectAll', label: t('shell.menu.select-all') },
      SEPARATOR,
      item('find'),
      item('copy-details'),
    ],
  }
}

function transferItems(item: ToItem, state: MenuState, actions: MenuActions): Item[] {
  const groups: readonly (readonly Item[])[] = [
    [item('start-now'), item('pause'), item('resume'), item('retry')],
    [item('review'), item('relink'), item('edit-place'), item('limit'), item('open-when-done', 'checkbox')],
    [item('move-top'), item('move-up'), item('move-down'), item('move-bottom')],
    [item('preview'), item('open'), item('reveal'), item('copy-link'), item('show-in-place'), item('save-parts')],
    [item('start-over'), item('cancel'), item('remove')],
    [item('pause-all'), pauseForMenu(state, actions), item('resume-all')],
    [limitMenu(state, actions), lowSpeedItem(state, actions), whenDoneMenu(state, actions)],
    [item('clear-done')],
  ]
  return groups.flatMap((group, index) => (index === 0 ? group : [SEPARATOR, ...group]))
}

const PAUSE_TIMES: readonly PauseTime[] = ['quarter', 'hour', 'tomorrow']

function pauseForMenu({ facts }: MenuState, { pauseFor }: MenuActions): Item {
  return {
    label: t('shell.menu.pause-for'),
    submenu: PAUSE_TIMES.map((time) => ({
      id: `pause-for:${time}`,
      label: t(`shell.menu.pause-for.${time}`),
      enabled: facts === null || facts.able.includes('pause-all'),
      click: () => pauseFor(time),
    })),
  }
}

function whenDoneMenu(state: MenuState, { whenDone }: MenuActions): Item {
  return {
    label: t('shell.menu.when-done'),
    submenu: WHEN_DONE.map((what) => ({
      id: `when-done:${what}`,
      type: 'radio',
      label: t(`shell.menu.when-done.${what}`),
      checked: what === state.whenDone,
      enabled: what !== 'update' || state.isUpdateReady,
      click: () => whenDone(what),
    })),
  }
}

function limitMenu({ limitBytesPerSecond: current }: MenuState, { limit }: MenuActions): Item {
  return {
    label: t('shell.menu.limit'),
    submenu: offeredLimits(current).map((rate) => ({
      id: `limit:${rate ?? 'off'}`,
      type: 'radio',
      label: limitWords(rate),
      checked: rate === current,
      click: () => limit(rate),
    })),
  }
}

function lowSpeedItem({ isLowSpeed }: MenuState, { toggleLowSpeed }: MenuActions): Item {
  return {
    id: 'low-speed',
    type: 'checkbox',
    label: t('shell.menu.low-speed'),
    checked: isLowSpeed,
    click: () => toggleLowSpeed(),
  }
}

function viewMenu(item: ToItem, isPackaged: boolean): Item {
  const filters = ['filter:all', 'filter:attention', 'filter:active', 'filter:waiting', 'filter:paused', 'filter:done']
  const orders = ['none', ...SORT_COLUMNS].map((order) => `sort:${order}`)
  const columns = COLUMNS.map((column) => `column:${column}` as const)
  return {
    label: t('shell.menu.view'),
    submenu: [
      // While a place is browsed, none of these has a tick, which radio items do not allow.
      ...(filters as readonly NamedCommand[]).map((command) => item(command, 'checkbox')),
      SEPARATOR,
      {
        label: t('shell.menu.sort-by'),
        submenu: (orders as readonly NamedCommand[]).map((command) => item(command, 'checkbox')),
      },
      { label: t('shell.menu.columns'), submenu: columns.map((command) => item(command, 'checkbox')) },
      item('compact-rows', 'checkbox'),
      SEPARATOR,
      item('toggle-inspector', 'checkbox'),
      item('refresh'),
      SEPARATOR,
      { role: 'resetZoom', label: t('shell.menu.actual-size') },
      { role: 'zoomIn', label: t('shell.menu.zoom-in') },
      { role: 'zoomOut', label: t('shell.menu.zoom-out') },
      { role: 'togglefullscreen', label: t('shell.menu.full-screen') },
      ...(isPackaged ? [] : [SEPARATOR, { role: 'toggleDevTools' } as const]),
    ],
  }
}

function placesMenu(item: ToItem, { places, facts }: MenuState, { send }: MenuActions): Item {
  return {
    label: t('shell.menu.places'),
    submenu: [
      ...places.map(({ id, name }): Item => ({
        id: `place:${id}`,
        // A single & would underline the letter after it.
        label: visibleText(name).replaceAll('&', '&&'),
        enabled: facts === null || facts.able.includes('add-place'),
        click: () => send(`place:${id}`),
      })),
      SEPARATOR,
      item('unfinished-uploads'),
      SEPARATOR,
      item('import-places'),
      item('export-places'),
    ],
  }
}

/** Holds the same items as Electron's own menu for this role, in the app's language. */
function windowMenu(isMac: boolean): Item {
  return {
    role: 'windowMenu',
    label: t('shell.menu.window'),
    submenu: [
      { role: 'minimize', label: t('shell.menu.minimize') },
      { role: 'zoom', label: t('shell.menu.zoom') },
      ...(isMac
        ? [SEPARATOR, { role: 'front', label: t('shell.menu.front') } as const]
        : [{ role: 'close', label: t('shell.menu.close-window') } as const]),
    ],
  }
}

function appMenu(item: ToItem, own: readonly Item[], quit: Item): Item {
  return {
    label: 'Sluice',
    submenu: [
      item('about'),
      ...own,
      SEPARATOR,
      item('settings'),
      SEPARATOR,
      { role: 'services', label: t('shell.menu.services') },
      SEPARATOR,
      { role: 'hide', label: t('shell.menu.hide') },
      { role: 'hideOthers', label: t('shell.menu.hide-others') },
      { role: 'unhide', label: t('shell.menu.unhide') },
      SEPARATOR,
      quit,
    ],
  }
}
