// The app's main process: one instance, locked down before its window opens, with everything put together here.

import { app, Menu, powerMonitor, safeStorage, session } from 'electron'
import { join } from 'node:path'
import { createDeltaPublisher, type DeltaPublisher } from './ipc/delta-publisher.ts'
import { createDesktopRequests } from './ipc/desktop-handlers.ts'
import { createHandlers } from './ipc/handlers.ts'
import { createLinkRequests } from './ipc/link-handlers.ts'
import { createNetworkRequests } from './ipc/network-handlers.ts'
import { firstLookOnce } from './ipc/queue-snapshot.ts'
import { serveRequests, type IpcHandlers } from './ipc/validated-ipc.ts'
import { createWindowChannel, type WindowChannel } from './ipc/window-channel.ts'
import { createCredentialStore } from './services/common/credential-store.ts'
import { createQueueViews } from './services/common/queue-view.ts'
import { createSystemClock, type Engine } from './engine/index.ts'
import { openKeptValues, openTransfers, type KeptValues, type OpenTransfers, type Transfers } from './services/index.ts'
import { createObjects } from './services/objects/objects.ts'
import { continueWhenSaved } from './services/places/resume-held-up.ts'
import { adoptPartials } from './services/transfers/adopt-partials.ts'
import { enqueueDownloads } from './services/transfers/enqueue-downloads.ts'
import { openUpdates, type AppUpdates } from './services/updates/index.ts'
import { createFolderUploads } from './services/transfers/enqueue-folder-upload.ts'
import { enqueueUploads } from './services/transfers/enqueue-uploads.ts'
import { APP_ORIGIN, registerAppScheme, serveBundle } from './shell/window/app-protocol.ts'
import { withAppearance } from './shell/window/appearance.ts'
import { createQuitDialog } from './shell/quit/ask-quit.ts'
import { isDrivenFromOutside, updateBuildPath } from './shell/debugging.ts'
import { createDemoStarter } from './shell/demo-process.ts'
import { createDesk, type Desk, type DeskDeps } from './shell/desk/desk.ts'
import { showMenuTitles } from './shell/desk/menu-bar.ts'
import { createDesktop } from './shell/desktop.ts'
import { followLifecycle, startApp } from './shell/lifecycle.ts'
import { withLanguage, withUnits } from './shell/language.ts'
import { createLinkInbox } from './shell/link-inbox.ts'
import { answerTo, asksSafeMode, commandAmong, lacksDisplay, NO_DISPLAY } from './shell/launch.ts'
import { lockDownContents, lockDownSession } from './shell/window/lockdown.ts'
import { createLogFile, type LogFile } from './shell/log-file.ts'
import { startsHidden, withLoginItem } from './shell/login-item.ts'
import { createNotifier } from './shell/notifications.ts'
import { watchPower } from './shell/power.ts'
import { followSessionEnd } from './shell/quit/session-end.ts'
import { createFolderSign, createTaskbar } from './shell/taskbar.ts'
import { updateLine } from './shell/update-line.ts'
import { createMainWindow, PAGE_PARTITION, type MainWindow } from './shell/window/window.ts'

// What the installer gives the shortcuts: Windows files toasts and the taskbar button under it.
if (process.platform === 'win32') app.setAppUserModelId('app.sluice.desktop')
const command = commandAmong(process.argv, app.getAppPath())
const answer = answerTo(process.argv, app.getVersion())
const links = createLinkInbox(process.argv, process.cwd())
if (command !== null) {
  // Chromium waits for this module before it looks for a display: a command ends without having needed one.
  const { runCommandLine } = await import('./cli/commands/command-line.ts')
  app.exit(await runCommandLine(command))
} else if (answer !== null) {
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
  // What scrolling leaves is collected before it doubles the page's memory (ADR 36); this process keeps its own measure.
  app.commandLine.appendSwitch('js-flags', '--heap-growing-percent=30')
  // The app's own menu comes with its window: Electron need not make one first.
  Menu.setApplicationMenu(null)
  // Where the system's sandbox can't work (root, in development), npm start says so and gives this switch.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => lockDownContents(contents))
  startApp(start)
}

async function start(): Promise<void> {
  const folder = app.getPath('userData')
  const isSafe = asksSafeMode(process.argv)
  const log = openLog(isSafe)

  const pages = session.fromPartition(PAGE_PARTITION)
  for (const each of [session.defaultSession, pages]) lockDownSession(each, { allowDevTools: !app.isPackaged })
  const credentials = createCredentialStore(safeStorage, process.platform)
  serveBundle(pages, join(import.meta.dirname, 'renderer'))
  const kept = await asSettingsSay(await openKeptValues(join(folder, 'state', 'values'), isSafe))
  const { settings, values } = kept
  let engine: Engine | null = null
  const quit = createQuitDialog(
    settings,
    () => mainWindow.current(),
    () => engine?.snapshot() ?? null,
  )
  const holdsClose = () => process.platform !== 'darwin' && quit.holdsClose()
  const mainWindow = createMainWindow({
    ...{ values, folder: import.meta.dirname, holdsClose },
    quit: () => void quit.request(),
  })
  const channel = createWindowChannel(mainWindow.current, APP_ORIGIN)

  // Whether the list is read or not.
  const stopNow = () => void engine?.suspend()
  followSessionEnd({ app, powerMonitor }, { stopNow, quit: () => app.quit() })
  let updates: AppUpdates | null = null
  // The page is loaded while the transfers are opened.
  if (!startsHidden(settings.get())) showMenuTitles(process.platform)
  const shown = startsHidden(settings.get()) ? Promise.resolve() : mainWindow.show()
  const startProcess = createDemoStarter(import.meta.dirname)
  // A process more would hold up the page.
  const startDemo: typeof startProcess = (...asked) => shown.then(() => startProcess(...asked))
  const means = { kept, credentials, session: session.defaultSession, startDemo, onError: log.error }
  const opening = openTransfers(folder, means).then((opened) => {
    engine = opened.engine
    const { state } = credentials
    return { opened, desktop: createDesktop({ window: mainWindow.current, engine, settings, keyring: state }) }
  })
  const parts = { kept, shown, mainWindow, channel, quit, log, isSafe, keyring: credentials.state }
  const running = opening.then((ready) => run({ ...ready, ...parts }))
  const handlers = running.then((app) => app.handlers)
  const first = opening.then(({ opened, desktop }) => firstHandlers({ ...opened, ...kept }, desktop, handlers))
  serveRequests(first, handlers, { isTrusted: channel.isTrusted, onBug: log.error })
  followLifecycle({
    show: () => void mainWindow.show().catch((error: unknown) => log.error('show window', error)),
    links,
    tellLinks: () => channel.send('links:arrived', null),
    beginQuit: quit.begin,
    close: async () => (await running).close(),
    // Also where the list never was read.
    leave: () => (updates?.isRestarting() === true ? updates.installAndRestart() : Promise.resolve(app.exit(0))),
    stopNow,
  })
  const [loaded] = await Promise.all([running, shown])
  updates = loaded.updates
  tellNotices({ transfers: loaded.transfers, mainWindow, channel, log })
  updates.start()
}

/** What the page asks for before it shows its first rows. */
function firstHandlers(
  { settings, places, values, firstLook }: OpenTransfers & KeptValues,
  desktop: ReturnType<typeof createDesktop>,
  handlers: Promise<IpcHandlers>,
): Partial<IpcHandlers> {
  return {
    'queue:snapshot': firstLookOnce(firstLook, async () => (await handlers)['queue:snapshot'](null)),
    'app:info': desktop.info,
    'places:list': places.list,
    'settings:get': settings.get,
    'view:get': createQueueViews(values).get,
  }
}

interface RunParts {
  readonly kept: KeptValues
  readonly opened: OpenTransfers
  /** Settles when the window is open, where one is to be. */
  readonly shown: Promise<void>
  readonly mainWindow: MainWindow
  readonly channel: WindowChannel
  readonly desktop: ReturnType<typeof createDesktop>
  readonly quit: ReturnType<typeof createQuitDialog>
  readonly log: LogFile
  readonly isSafe: boolean
  readonly keyring: OwnParts['keyring']
}

/** Loads the transfers, and puts together all that tells of them. */
async function run({ kept, opened, shown, mainWindow, channel, desktop, quit, log, isSafe, keyring }: RunParts) {
  // A long list takes a moment to be read: what is seen of it comes first.
  if ((await opened.firstLook) !== null) await shown
  const transfers: Transfers = { ...kept, ...opened, ...(await opened.load()) }
  const { engine, places, settings, values } = transfers
  const power = watchPower({ suspend: transfers.suspend, wake: transfers.wake })
  const showProgress = createTaskbar(desktop.iconBar, desktop.iconSigns)
  const showDownloaded = createFolderSign((id) => engine.row(id), desktop.showDownloaded)
  const notifier = createNotifier(engine.snapshot(), desktop.isFocused, (told) => desktop.notify(told, desk.reveal))
  const updates = await openOwnUpdates(transfers, isSafe, log)
  const desk = createDesk({
    engine,
    updates,
    settings,
    timedPause: transfers.timedPause,
    lowSpeed: transfers.lowSpeed,
    values,
    openDownload: desktop.openDownload,
    places: places.list,
    window: mainWindow,
    send: channel.send,
    folder: import.meta.dirname,
    ...aboutItself({ transfers, desktop, log, isSafe, keyring }),
    quit: () => void quit.request(),
    onError: log.error,
  })
  const publisher = createDeltaPublisher(engine, channel.deltaTarget, (delta) => {
    power.observe(delta.totals)
    showProgress(delta.totals)
    showDownloaded(delta)
    notifier.observe(delta)
    desk.observe(delta)
  })
  mainWindow.followSeen(publisher.poke)
  return {
    transfers,
    updates,
    handlers: createAllHandlers({ transfers, publisher, desktop, desk, channel }),
    close: closing({ publisher, notifier, desk, updates, power, transfers }, log),
  }
}

interface NoticeParts {
  readonly transfers: Transfers
  readonly mainWindow: MainWindow
  readonly channel: WindowChannel
  readonly log: LogFile
}

/** Tells the window what a person should know, one after another. It is worth a window, where there is none. */
function tellNotices({ transfers, mainWindow, channel, log }: NoticeParts): void {
  let told = Promise.resolve()
  transfers.followNotices((text) => {
    told = told
      .then(() => (mainWindow.current() === null ? mainWindow.show() : undefined))
      .then(() => channel.send('app:notice', { text }))
      .catch((error: unknown) => log.error('show window', error))
  })
}

interface Closing {
  readonly publisher: DeltaPublisher
  readonly notifier: { close(): void }
  readonly desk: Desk
  readonly updates: AppUpdates
  readonly power: { close(): void }
  readonly transfers: Transfers
}

/** Ends what tells of transfers, then the transfers. */
function closing({ publisher, notifier, desk, updates, power, transfers }: Closing, log: LogFile) {
  return async (): Promise<void> => {
    for (const each of [publisher, notifier, desk, updates, power]) each.close()
    await transfers.close()
    log.note('closed')
    await log.flush()
  }
}

/** Light or dark, in the language and the units, and started when the settings say. */
function asSettingsSay(kept: KeptValues): Promise<KeptValues> {
  return withLoginItem(withUnits(withLanguage(withAppearance(kept))))
}

/** The log, with what nothing else caught and processes that went. */
function openLog(isSafe: boolean): LogFile {
  const log = createLogFile(join(app.getPath('userData'), 'logs', 'sluice.log'))
  log.note(`started ${app.getVersion()}${isSafe ? ' in safe mode' : ''}`)
  process.on('uncaughtException', (error) => log.error('uncaught exception', error))
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', error))
  const gone = (what: string, { reason, exitCode }: Pick<Electron.Details, 'reason' | 'exitCode'>): void => {
    if (reason !== 'clean-exit') log.note(`${what} gone: ${reason}, exit code ${exitCode}`)
  }
  app.on('render-process-gone', (_, _page, details) => gone('page', details))
  app.on('child-process-gone', (_, details) => gone(details.name ?? details.type, details))
  return log
}

/** Newer versions of this copy. A person who has not used it yet is not asked whether it may look for them. */
async function openOwnUpdates(
  { settings, engine, network }: Transfers,
  isSafe: boolean,
  log: LogFile,
): Promise<AppUpdates> {
  const { isPackaged } = app
  return openUpdates(
    {
      buildPath: await updateBuildPath(app, import.meta.dirname, process.env),
      isPackaged,
      line: updateLine(network),
      exit: () => app.exit(0),
    },
    {
      version: app.getVersion(),
      settings,
      clock: createSystemClock(),
      mayAsk: () => !isSafe && engine.snapshot().rows.length > 0,
      quit: () => app.quit(),
      onError: log.error,
    },
  )
}

interface OwnParts {
  readonly transfers: Transfers
  readonly desktop: ReturnType<typeof createDesktop>
  readonly log: LogFile
  readonly isSafe: boolean
  readonly keyring: () => string
}

/** What the menu of help reports of the app, and checks. */
function aboutItself({ transfers, desktop, log, isSafe, keyring }: OwnParts): Pick<DeskDeps, 'report' | 'database'> {
  const { engine, places, settings, network } = transfers
  return {
    report: {
      ...{ version: app.getVersion(), log },
      facts: () => [
        ['Safe mode', isSafe ? 'on' : 'off'],
        ['Keyring', keyring()],
        ['Proxy', network.state().proxy.mode],
      ],
      state: () => ({ settings: settings.get(), places: places.list(), rows: engine.snapshot().rows }),
      chooseTarget: desktop.chooseTarget,
    },
    database: {
      isSound: transfers.isListSound,
      transfers: () => engine.snapshot().rows.length,
      restart: desktop.restart,
    },
  }
}

interface HandlerParts {
  readonly transfers: Transfers
  readonly publisher: DeltaPublisher
  readonly desktop: ReturnType<typeof createDesktop>
  readonly desk: Desk
  readonly channel: WindowChannel
}

/** One for every request that the window can make. */
function createAllHandlers({ transfers, publisher, desktop, desk, channel }: HandlerParts): IpcHandlers {
  const { engine, places, values } = transfers
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
    tellListingWait: (told) => channel.send('uploads:listing-waits', told),
    objects: createObjects(transfers.bucketDeps),
    startSample: transfers.startSample,
    view: createQueueViews(values),
  })
  return {
    ...handlers,
    ...createNetworkRequests({ ...transfers, ...desktop }),
    ...createLinkRequests(places, links),
    ...createDesktopRequests(desk),
  }
}
