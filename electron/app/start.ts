import { app, powerMonitor, safeStorage, session } from 'electron'
import { join } from 'node:path'
import { serveRequests } from '../ipc/validated-ipc.ts'
import { createCredentialStore } from '../services/persistence/credential-store.ts'
import { openKeptValues, type KeptValues } from '../services/index.ts'
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

/** Starts the app with its window, once Electron is ready. `links`: what it was opened with. */
export async function start(links: LinkInbox): Promise<void> {
  const folder = app.getPath('userData')
  const isSafe = asksSafeMode(process.argv)
  // First, for whatever goes wrong from here on.
  const log = openLog(join(folder, 'logs', 'sluice.log'), isSafe)
  preparePages()
  const credentials = createCredentialStore(safeStorage, process.platform)
  const keyring = credentials.state
  const kept = await asSettingsSay(await openKeptValues(join(folder, 'state', 'values'), isSafe))
  const { open, stopNow, ...quitFacts } = createOpeningTransfers(folder, { kept, credentials, onError: log.error })
  const { showFirst, ...appWindow } = createAppWindow(kept, quitFacts)
  const { mainWindow, channel } = appWindow
  // Before the first window, whose end it follows, too.
  followSessionEnd({ app, powerMonitor }, { stopNow, quit: () => app.quit() })

  // The page is loaded while the transfers are opened, and begins first. Nothing is waited for from here to where both
  // are: what fails meanwhile has somebody who hears of it.
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

  // A notice is shown by the page, and a question about updates, too.
  tellNotices(transfers.followNotices, appWindow, log)
  updates.start()
}

/** Locks down the sessions, and gives the page's its files: before there is a page. */
function preparePages(): void {
  const pages = session.fromPartition(PAGE_PARTITION)
  for (const each of [session.defaultSession, pages]) lockDownSession(each, { allowDevTools: !app.isPackaged })
  serveBundle(pages, join(BUILT_FILES, 'renderer'))
}

/** Light or dark, in the language and the units, and started when the settings say. */
function asSettingsSay(kept: KeptValues): Promise<KeptValues> {
  return withLoginItem(withUnits(withLanguage(withAppearance(kept))))
}
