// The app's main process: one instance, locked down before its window opens, with everything put together here.

import { app, Menu, safeStorage, session } from 'electron'
import { join } from 'node:path'
import { createDeltaPublisher } from './ipc/delta-publisher.ts'
import { createHandlers } from './ipc/handlers.ts'
import { createLinkRequests } from './ipc/link-handlers.ts'
import { createNetworkRequests } from './ipc/network-handlers.ts'
import { serveRequests } from './ipc/validated-ipc.ts'
import { createWindowChannel } from './ipc/window-channel.ts'
import { createCredentialStore } from './services/common/credential-store.ts'
import { createQueueViews } from './services/common/queue-view.ts'
import { openTransfers } from './services/index.ts'
import { createObjects } from './services/objects/objects.ts'
import { continueWhenSaved } from './services/places/resume-held-up.ts'
import { adoptPartials } from './services/transfers/adopt-partials.ts'
import { enqueueDownloads } from './services/transfers/enqueue-downloads.ts'
import { createFolderUploads } from './services/transfers/enqueue-folder-upload.ts'
import { enqueueUploads } from './services/transfers/enqueue-uploads.ts'
import { APP_ORIGIN, registerAppScheme, serveBundle } from './shell/app-protocol.ts'
import { withAppearance } from './shell/appearance.ts'
import { createQuitDialog } from './shell/ask-quit.ts'
import { isDrivenFromOutside } from './shell/debugging.ts'
import { createDesktop } from './shell/desktop.ts'
import { followLifecycle, startApp } from './shell/lifecycle.ts'
import { createLinkInbox } from './shell/link-inbox.ts'
import { answerTo, lacksDisplay, NO_DISPLAY } from './shell/launch.ts'
import { lockDownContents, lockDownSession } from './shell/lockdown.ts'
import { createLogFile } from './shell/log-file.ts'
import { menuTemplate } from './shell/menu.ts'
import { createNotifier } from './shell/notifications.ts'
import { watchPower } from './shell/power.ts'
import { createTaskbar } from './shell/taskbar.ts'
import { createMainWindow, PAGE_PARTITION } from './shell/window.ts'

const answer = answerTo(process.argv, app.getVersion())
const links = createLinkInbox(process.argv, process.cwd())
if (answer !== null) {
  process.stdout.write(`${answer}\n`, () => app.exit(0))
} else if (await isDrivenFromOutside(app, import.meta.dirname)) {
  process.stderr.write('Sluice doesn’t start with a debugging port.\n')
  app.exit(1)
} else if (!app.requestSingleInstanceLock()) {
  app.exit(0)
} else if (lacksDisplay(process.platform, process.env) && !app.commandLine.hasSwitch('ozone-platform')) {
  process.stderr.write(`${NO_DISPLAY}\n`, () => app.exit(1))
} else {
  registerAppScheme()
  // Where the system's sandbox can't work (root, in development), npm start says so and gives this switch.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => lockDownContents(contents))
  startApp(start)
}

async function start(): Promise<void> {
  const folder = app.getPath('userData')
  const log = createLogFile(join(folder, 'logs', 'sluice.log'))
  process.on('uncaughtException', (error) => log.error('uncaught exception', error))
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', error))

  const pages = session.fromPartition(PAGE_PARTITION)
  for (const each of [session.defaultSession, pages]) lockDownSession(each, { allowDevTools: !app.isPackaged })
  await serveBundle(pages, join(import.meta.dirname, 'renderer'))
  const credentials = createCredentialStore(safeStorage, process.platform)
  const transfers = withAppearance(await openTransfers(folder, credentials, session.defaultSession))
  const { engine, places, settings, values } = transfers

  const quit = createQuitDialog(
    settings,
    () => mainWindow.current(),
    () => engine.snapshot().totals.counts.active,
  )
  const holdsClose = () => process.platform !== 'darwin' && quit.holdsClose()
  const mainWindow = createMainWindow({ values, folder: import.meta.dirname, holdsClose })
  const window = mainWindow.current
  const show = () => void mainWindow.show().catch((error: unknown) => log.error('show window', error))

  const channel = createWindowChannel(window, APP_ORIGIN)
  const desktop = createDesktop({ window, engine, settings, keyring: credentials.state })
  const power = watchPower({ suspend: transfers.suspend, wake: transfers.wake })
  const showProgress = createTaskbar(window)
  const notifier = createNotifier(engine.snapshot(), desktop.isFocused, (notice) => desktop.notify(notice, show))
  const publisher = createDeltaPublisher(engine, channel.deltaTarget, (delta) => {
    power.observe(delta.totals)
    showProgress(delta.totals)
    notifier.observe(delta)
  })

  const handlers = createHandlers({
    ...transfers,
    places: { ...places, ...continueWhenSaved(places, engine) },
    publisher,
    desktop,
    enqueueUploads: (request) => enqueueUploads(engine, places, request, transfers.conflicts),
    ...createFolderUploads(engine, places),
    enqueueDownloads: (request) => enqueueDownloads(engine, places, request),
    adoptPartials: (paths) => adoptPartials(engine, places, paths),
    tellComparing: (at) => channel.send('uploads:comparing', at),
    objects: createObjects(transfers.bucketDeps),
    startSample: transfers.startSample,
    view: createQueueViews(values),
  })
  const more = { ...createNetworkRequests({ ...transfers, ...desktop }), ...createLinkRequests(places, links) }
  serveRequests({ ...handlers, ...more }, { isTrusted: channel.isTrusted, onBug: log.error })

  const menu = menuTemplate(process.platform === 'darwin', app.isPackaged, {
    send: (command) => channel.send('menu:command', command),
    quit: () => void quit.request(),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu))
  followLifecycle({
    show,
    links,
    tellLinks: () => channel.send('links:arrived', null),
    beginQuit: quit.begin,
    close: async () => {
      publisher.close()
      notifier.close()
      power.close()
      await transfers.close()
      await log.flush()
    },
    stopNow: transfers.stopNow,
  })
  await mainWindow.show()
  for (const text of transfers.notices) channel.send('app:notice', { text })
}
