import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import { menuTemplate, type MenuActions, type MenuState } from '../../../electron/shell/desk/menu-template.ts'
import { COMMAND_NAMES } from '../../../shared/ipc/menu-commands.ts'

type Item = MenuItemConstructorOptions

const did: unknown[] = []
const ACTIONS: MenuActions = {
  send: (command) => did.push(command),
  undo: () => did.push('undo'),
  limit: (rate) => did.push(rate),
  toggleLowSpeed: () => did.push('low speed'),
  pauseFor: (time) => did.push(time),
  whenDone: (what) => did.push(what),
  showLog: () => did.push('log'),
  checkDatabase: () => did.push('check'),
  checkForUpdates: () => did.push('updates'),
  installCommand: () => did.push('command'),
  quit: () => did.push('quit'),
}
const STATE: MenuState = {
  platform: 'linux',
  isPackaged: true,
  facts: null,
  places: [{ id: 'studio', name: 'Film & Sound' }],
  limitBytesPerSecond: null,
  isLowSpeed: false,
  whenDone: 'nothing',
  canUpdate: true,
  isUpdateReady: false,
}

const menuOf = (changes: Partial<MenuState> = {}): Item[] => menuTemplate({ ...STATE, ...changes }, ACTIONS)
const below = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? below(item.submenu) : [])])
const found = (menu: readonly Item[], id: string): Item => below(menu).find((item) => item.id === id) ?? {}
const labels = (menu: readonly Item[], title: string): readonly (string | undefined)[] => {
  const items = below(menu).find(({ label, role }) => label === title || role === title)?.submenu
  return Array.isArray(items) ? items.filter(({ type }) => type !== 'separator').map(({ label }) => label) : []
}

it('has every command that the window knows, each once', () => {
  const ids = below(menuOf()).map(({ id }) => id)
  for (const name of COMMAND_NAMES) expect(ids.filter((id) => id === name)).toEqual([name])
})

it('has quit, settings and About where each system looks for them', () => {
  expect(labels(menuOf({ platform: 'win32' }), 'File').at(-1)).toBe('Exit')
  expect(labels(menuOf(), 'File').at(-1)).toBe('Quit')
  expect(labels(menuOf(), 'help')).toEqual([
    'Keyboard shortcuts',
    'Show log file',
    'Save report…',
    'Check list of transfers…',
    'Check for updates…',
    'About Sluice',
  ])
  const mac = menuOf({ platform: 'darwin' })
  expect(mac[0]?.label).toBe('Sluice')
  expect(labels(mac, 'Sluice').filter((label) => label !== undefined)).toEqual([
    'About Sluice',
    'Check for Updates…',
    'Install Command Line Tool…',
    'Settings…',
    'Services',
    'Hide Sluice',
    'Hide Others',
    'Show All',
    'Quit Sluice',
  ])
  expect(found(mac, 'install-command').enabled).toBe(true)
  // A link of development would lead to a program that is there only for now.
  expect(found(menuOf({ platform: 'darwin', isPackaged: false }), 'install-command').enabled).toBe(false)
  // What other programs offer for a selection; macOS fills it.
  expect(mac[0]?.submenu).toContainEqual({ role: 'services', label: 'Services' })
  expect(labels(mac, 'help')).toEqual([
    'Keyboard Shortcuts',
    'Show Log File',
    'Save Report…',
    'Check List of Transfers…',
  ])
})

it('shows the keys of the window and of the list, and leaves those of the list to it', () => {
  expect(found(menuOf(), 'filter:attention')).toMatchObject({ label: 'Needs you', accelerator: 'CmdOrCtrl+2' })
  expect(found(menuOf(), 'shortcuts').accelerator).toBe('CmdOrCtrl+/')
  expect(found(menuOf(), 'move-top')).toMatchObject({
    label: 'Move to top',
    accelerator: 'Alt+Shift+Up',
    registerAccelerator: false,
  })
  expect(found(menuOf({ platform: 'darwin' }), 'move-top').accelerator).toBeUndefined()
  for (const shared of ['pause', 'resume', 'preview'])
    expect(found(menuOf(), shared)).toMatchObject({ accelerator: 'Space', registerAccelerator: false })
})

it('writes what it says as its system does: like titles on macOS, except what people named', () => {
  const mac = menuOf({ platform: 'darwin', places: [{ id: 'mine', name: 'of my own' }] })
  expect(found(mac, 'move-top').label).toBe('Move to Top')
  expect(labels(mac, 'View')).toEqual(expect.arrayContaining(['Zoom In', 'Actual Size']))
  expect(found(mac, 'place:mine').label).toBe('of my own')
  expect(labels(menuOf(), 'View')).toEqual(expect.arrayContaining(['Zoom in', 'Actual size']))
})

it('disables what does nothing now, and hides nothing', () => {
  const menu = menuOf({ facts: { able: ['pause', 'add-place'], ticked: ['filter:active', 'sort:speed'] } })
  expect(found(menu, 'pause').enabled).toBe(true)
  expect(found(menu, 'resume').enabled).toBe(false)
  expect(below(menu).length).toBe(below(menuOf()).length)
  expect(
    below(menu)
      .filter(({ checked }) => checked)
      .map(({ id }) => id),
  ).toEqual(['limit:off', 'when-done:nothing', 'filter:active', 'sort:speed'])
})

it('leads to the places by name, and takes an & as it is', () => {
  const place = found(menuOf(), 'place:studio')
  expect(place.label).toBe('Film && Sound')
  did.length = 0
  const click = place.click as () => void
  click()
  expect(did).toEqual(['place:studio'])
})

it('offers the rates that the status bar offers, and the one in force where it is another', () => {
  const rates = ['1 MB/s', '5 MB/s', '10 MB/s', '25 MB/s', '50 MB/s', '100 MB/s']
  expect(labels(menuOf(), 'Speed limit')).toEqual(['Off', ...rates])
  const menu = menuOf({ limitBytesPerSecond: 2_500_000 })
  expect(labels(menu, 'Speed limit')).toEqual(['Off', '1 MB/s', '2.5 MB/s', ...rates.slice(1)])
  expect(found(menu, 'limit:2500000').checked).toBe(true)
})

it('has a tick at low speed while it holds', () => {
  for (const isLowSpeed of [false, true]) expect(found(menuOf({ isLowSpeed }), 'low-speed').checked).toBe(isLowSpeed)
})

it('pauses for a time where there is something to pause, and says what happens when all is done', () => {
  expect(labels(menuOf(), 'Pause all for')).toEqual(['15 minutes', '1 hour', 'Until tomorrow'])
  const idle = menuOf({ facts: { able: [], ticked: [] }, whenDone: 'sleep' })
  expect(found(idle, 'pause-for:hour').enabled).toBe(false)
  expect(labels(idle, 'When all done')).toEqual(['Do nothing', 'Sleep', 'Quit', 'Update Sluice'])
  expect(found(idle, 'when-done:update').enabled).toBe(false)
  expect(found(menuOf({ isUpdateReady: true }), 'when-done:update').enabled).toBe(true)
  expect(found(idle, 'when-done:sleep').checked).toBe(true)
})
