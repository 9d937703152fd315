import { createDeltaPublisher } from '../ipc/delta-publisher.ts'
import type { IpcHandlers } from '../ipc/validated-ipc.ts'
import type { CredentialStore } from '../services/persistence/credential-store.ts'
import type { KeptValues, OpenTransfers, Transfers } from '../services/index.ts'
import type { AppUpdates } from '../services/updates/index.ts'
import { createDesk } from '../shell/desk/desk.ts'
import type { Desktop } from '../shell/desktop.ts'
import type { LinkInbox } from '../shell/link-inbox.ts'
import type { LogFile } from '../shell/log-file.ts'
import { aboutItself } from './about-itself.ts'
import type { AppWindow } from './app-window.ts'
import { BUILT_FILES } from './built-files.ts'
import { createDesktopSigns } from './desktop-signs.ts'
import { createAllHandlers } from './handlers.ts'
import { openOwnUpdates } from './own-updates.ts'

interface RunParts extends Pick<AppWindow, 'mainWindow' | 'channel' | 'quit'> {
  readonly kept: KeptValues
  readonly opened: OpenTransfers
  /** Settles once the window is open, if it should be. */
  readonly shown: Promise<void>
  readonly desktop: Desktop
  readonly links: LinkInbox
  readonly keyring: CredentialStore['state']
  readonly log: LogFile
}

/** The app once its list is read. */
export interface RunningApp {
  readonly transfers: Transfers
  readonly updates: AppUpdates
  readonly handlers: IpcHandlers
  /** Closes everything that reports on transfers, then the transfers. */
  readonly close: () => Promise<void>
}

/** Loads the transfers and assembles everything that reports on them. */
export async function run(parts: RunParts): Promise<RunningApp> {
  const { kept, opened, shown, mainWindow, channel, quit, desktop, links, keyring, log } = parts
  // A long list takes a moment to read, so the window with its first look comes before that.
  if ((await opened.firstLook) !== null) await shown
  const transfers: Transfers = { ...kept, ...opened, ...(await opened.load()) }
  const { engine, settings, values, timedPause, lowSpeed } = transfers
  // Before any other wait, because transfers that end meanwhile are news.
  const signs = createDesktopSigns(transfers, desktop, (ids) => desk.reveal(ids))
  const updates = await openOwnUpdates(transfers, log.error)
  const desk = createDesk({
    ...{ engine, updates, settings, values, timedPause, lowSpeed },
    openDownload: desktop.openDownload,
    places: transfers.places.list,
    window: mainWindow,
    send: channel.send,
    folder: BUILT_FILES,
    ...aboutItself({ transfers, desktop, log, keyring }),
    quit: () => void quit.request(),
    onError: log.error,
  })
  const publisher = createDeltaPublisher(engine, channel.deltaTarget, (delta) => {
    signs.observe(delta)
    desk.observe(delta)
  })
  mainWindow.followSeen(publisher.poke)
  return {
    transfers,
    updates,
    handlers: createAllHandlers({ transfers, publisher, desktop, desk, links, channel }),
    close: async () => {
      for (const each of [publisher, signs, desk, updates]) each.close()
      await transfers.close()
      log.note('closed')
      await log.flush()
    },
  }
}
