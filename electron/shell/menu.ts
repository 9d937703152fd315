import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../../shared/ipc/ipc-contract.ts'

interface MenuActions {
  readonly send: (command: MenuCommand) => void
  readonly quit: () => void
}

/** The menu bar: what works today. The window handles the same keys first; here they are for those who look them up. */
export function menuTemplate(
  isMac: boolean,
  isPackaged: boolean,
  { send, quit }: MenuActions,
): MenuItemConstructorOptions[] {
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    id: command,
    label,
    click: () => send(command),
    ...(accelerator === undefined ? {} : { accelerator }),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const settings = item('Settings…', 'settings', 'CmdOrCtrl+,')
  const quitItem: MenuItemConstructorOptions = {
    id: 'quit',
    label: isMac ? 'Quit Sluice' : 'Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: quit,
  }
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [
      item('Upload Files…', 'upload', 'CmdOrCtrl+O'),
      item('Upload Folder…', 'upload-folder', 'CmdOrCtrl+Shift+U'),
      item('Download…', 'download', 'CmdOrCtrl+Shift+O'),
      separator,
      item('Unfinished Uploads…', 'unfinished-uploads'),
      item('Add Place…', 'add-place'),
      ...(isMac ? [separator, { role: 'close' } as const] : [separator, settings, separator, quitItem]),
    ],
  }
  const edit: MenuItemConstructorOptions = {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      separator,
      item('Find', 'find', 'CmdOrCtrl+F'),
      item('Copy Details', 'copy-details', 'CmdOrCtrl+Shift+C'),
    ],
  }
  return [
    ...(isMac ? [appMenu(settings, quitItem)] : []),
    file,
    edit,
    transferMenu(item, separator),
    viewMenu(item, isPackaged),
    { role: 'windowMenu' },
  ]
}

function transferMenu(
  item: (label: string, command: MenuCommand, accelerator?: string) => MenuItemConstructorOptions,
  separator: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: 'Transfer',
    submenu: [
      item('Pause', 'pause'),
      item('Resume', 'resume'),
      item('Retry', 'retry', 'CmdOrCtrl+R'),
      item('Start Now', 'start-now'),
      item('Paste New Link…', 'relink'),
      item('Limit…', 'limit'),
      item('Remove', 'remove'),
      separator,
      item('Move to Top', 'move-top'),
      item('Move Up', 'move-up'),
      item('Move Down', 'move-down'),
      item('Move to Bottom', 'move-bottom'),
      separator,
      item('Pause All', 'pause-all', 'CmdOrCtrl+Shift+P'),
      item('Resume All', 'resume-all', 'CmdOrCtrl+Shift+R'),
      separator,
      item('Clear Done', 'clear-done'),
    ],
  }
}

function viewMenu(
  item: (label: string, command: MenuCommand, accelerator?: string) => MenuItemConstructorOptions,
  isPackaged: boolean,
): MenuItemConstructorOptions {
  const developer: MenuItemConstructorOptions[] = isPackaged ? [] : [{ type: 'separator' }, { role: 'toggleDevTools' }]
  return {
    label: 'View',
    submenu: [
      item('Inspector', 'toggle-inspector', 'CmdOrCtrl+I'),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...developer,
    ],
  }
}

function appMenu(settings: MenuItemConstructorOptions, quit: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: 'Sluice',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      quit,
    ],
  }
}
