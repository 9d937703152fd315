import { app, powerMonitor, safeStorage, session } from 'electron'
import { join } from 'node:path'
import { serveRequests } from '../ipc/validated-ipc.ts'
import { createCredentialStore } from '../services/persistence/credential-store.ts'
import { openKeptValues, startError, type KeptValues } from '../services/index.ts'
import { createDesktop } from '../shell/desktop.ts'
import { withLanguage, withUnits } from '../shell/language.ts'
import { asksSafeMode } from '../shell/launch.ts'
import type { LinkInbox } from '../shell/link-inbox.ts'
import { withLoginItem } from '../shell/login-item.ts'
import { followSessionEnd } from '../shell/quit/session-end.ts'
import { serveBundle } from '../shell/window/app-protocol.ts'
import { withAppearance } from '../shell/window/appearance.ts'
import { lockDownSession } from '../shell/window/lockdown.ts'
import { PAGE_PARTITION } from '../shell/window/window.ts'
import { createAppWindow } from './app-window.ts'
import { BUILT_FILES } from './built-files.ts'
import { followSystem } from './follow-system.ts'
import { createFirstHandlers } from './handlers.ts'
import { openLog } from './open-log.ts'
import { createOpeningTransfers } from './opening-transfers.ts'
import { run } from './run.ts'
import { tellNotices } from './tell-notices.ts'

/**
 * Starts the app with its window, once Electron is ready. `links` holds what the app was opened with. Throws an error
 * whose message says why it can't start.
 */
export async function start(links: LinkInbox): Promise<void> {
  const folder = app.getPath('userData')
  try {
    await startIn(folder, links)
  } catch (failure) {
    throw startError(failure, folder)
  }
}

async function startIn(folder: string, links: LinkInbox): Promise<void> {
  const isSafe = asksSafeMode(process.argv)
  // Opened first, to record whatever goes wrong from here on.
  const log = openLog(join(folder, 'logs', 'sluice.log'), isSafe)
  preparePages()
  const credentials = createCredentialStore(safeStorage, process.platform)
  const keyring = credentials.state
  const kept = await asSettingsSay(await openKeptValues(join(folder, 'state', 'values'), isSafe))
  const { open, stopNow, ...quitFacts } = createOpeningTransfers(folder, { kept, credentials, onError: log.error })
  const { showFirst, ...appWindow } = createAppWindow(kept, quitFacts)
  const { mainWindow, channel } = appWindow
  // Must precede the first window, whose end it follows too.
  followSessionEnd({ app, powerMonitor }, { stopNow, quit: () => app.quit() })

  // The page starts to load first, and continues while the transfers are opened. There is no await from here until both
  // are done, so every failure meanwhile has a handler.
  const shown = showFirst()
  const opening = open(shown).then((opened) => {
    const { engine } = opened
    return { opened, desktop: createDesktop({ window: mainWindow.current, engine, settings: kept.settings, keyring }) }
  })
  const running = opening.then((ready) => run({ ...ready, ...appWindow, kept, shown, links, keyring, log }))
  const handlers = running.then((loaded) => loaded.handlers)
  const first = opening.then(({ opened, desktop }) => createFirstHandlers({ ...opened, ...kept }, desktop, handlers))
  serveRequests(first, handlers, { isTrusted: channel.isTrusted, onBug: log.error })
  followSystem({ ...appWindow, running, links, stopNow, log })
  const [{ transfers, updates }] = await Promise.all([running, shown])

  // The page shows notices and the question about updates, so it must exist first.
  tellNotices(transfers.followNotices, appWindow, log)
  updates.start()
}

/** Locks down the sessions and gives the page's session its files, before there is a page. */
function preparePages(): void {
  const pages = session.fromPartition(PAGE_PARTITION)
  for (const each of [session.defaultSession, pages]) lockDownSession(each, { allowDevTools: !app.isPackaged })
  serveBundle(pages, join(BUILT_FILES, 'renderer'))
}

/** Applies the settings: light or dark mode, language, units, and the start with the session. */
function asSettingsSay(kept: KeptValues): Promise<KeptValues> {
  return withLoginItem(withUnits(withLanguage(withAppearance(kept))))
}
