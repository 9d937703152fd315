import { Menu, type MenuItemConstructorOptions } from 'electron'
import { menuTemplate, menuTitles, type MenuActions, type MenuState } from './menu-template.ts'

type Item = MenuItemConstructorOptions

/** Shows the menu bar in its current state. */
export interface MenuBar {
  readonly show: () => void
}

/**
 * Shows the titles of the menu bar before there is anything to act on: where the bar is part of the window, everything
 * below would otherwise move down when it appears.
 */
export function showMenuTitles(platform: NodeJS.Platform): void {
  if (platform === 'darwin') return
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTitles().map((label) => ({ label, submenu: [] }))))
}

/**
 * The app's menu bar. It is rebuilt only when its items change; what is enabled or ticked changes in place, because a
 * rebuild closes an open menu.
 */
export function createMenuBar(state: () => MenuState, actions: MenuActions): MenuBar {
  let shape = ''

  function show(): void {
    const template = menuTemplate(state(), actions).map(resyncedAfterClick)
    const wanted = shapeOf(template)
    if (wanted !== shape) Menu.setApplicationMenu(Menu.buildFromTemplate(template))
    else itemsIn(template).forEach(change)
    shape = wanted
  }

  /** The system ticks a clicked item, whatever the click leads to. */
  function resyncedAfterClick(item: Item): Item {
    const { click, submenu } = item
    const clicked: Item['click'] = (...event) => {
      click?.(...event)
      show()
    }
    return {
      ...item,
      ...(click === undefined ? {} : { click: clicked }),
      ...(Array.isArray(submenu) ? { submenu: submenu.map(resyncedAfterClick) } : {}),
    }
  }

  return { show }
}

function change({ id, enabled, checked }: Item): void {
  const shown = id === undefined ? null : Menu.getApplicationMenu()?.getMenuItemById(id)
  if (shown === undefined || shown === null) return
  if (enabled !== undefined && shown.enabled !== enabled) shown.enabled = enabled
  if (checked !== undefined && shown.checked !== checked) shown.checked = checked
}

function itemsIn(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsIn(item.submenu) : [])])
}

function shapeOf(items: readonly Item[]): string {
  return JSON.stringify(itemsIn(items).map(({ id, label, role, type }) => [id, label, role, type]))
}
