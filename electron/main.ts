// The app's main process: decides which program this launch runs, and locks the window's down before it starts.

import { app, Menu } from 'electron'
import { start } from './app/start.ts'
import { isDrivenFromOutside } from './shell/debugging.ts'
import { answerTo, commandAmong, lacksDisplay, NO_DISPLAY } from './shell/launch.ts'
import { startApp } from './shell/lifecycle.ts'
import { createLinkInbox } from './shell/link-inbox.ts'
import { isHandedOn } from './shell/long-launch.ts'
import { registerAppScheme } from './shell/window/app-protocol.ts'
import { lockDownContents } from './shell/window/lockdown.ts'

// The id that the installer gives to the shortcuts: Windows files toasts and the taskbar button under it.
if (process.platform === 'win32') app.setAppUserModelId('app.sluice.desktop')
const command = commandAmong(process.argv, app.getAppPath())
const answer = answerTo(process.argv, app.getVersion())
const links = createLinkInbox()
const launch = { argv: process.argv, folder: process.cwd() }
if (command !== null) {
  // Chromium waits for this module before it looks for a display, so a command ends without needing one.
  const { runCommandLine } = await import('./cli/commands/command-line.ts')
  app.exit(await runCommandLine(command))
} else if (answer !== null) {
  process.stdout.write(`${answer}\n`, () => app.exit(0))
} else if (await isDrivenFromOutside(app, import.meta.dirname)) {
  process.stderr.write('Sluice doesn’t start with a debugging port.\n')
  app.exit(1)
} else if (await isHandedOn(launch)) {
  app.exit(0)
} else if (!app.requestSingleInstanceLock()) {
  app.exit(0)
} else if (lacksDisplay(process.platform, process.env) && !app.commandLine.hasSwitch('ozone-platform')) {
  process.stderr.write(`${NO_DISPLAY}\n`, () => app.exit(1))
} else {
  registerAppScheme()
  // Collects what scrolling leaves before it doubles the page's memory (ADR 36); this process keeps its own setting.
  app.commandLine.appendSwitch('js-flags', '--heap-growing-percent=30')
  // The app's own menu comes with its window, so Electron need not build a default one first.
  Menu.setApplicationMenu(null)
  // Where the system's sandbox can't work (as root, in development), npm start says so and passes this switch.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => lockDownContents(contents))
  void links.add(launch.argv, launch.folder)
  startApp(() => start(links))
}
