import { app } from 'electron'
import type { AppUpdates } from '../services/updates/index.ts'
import { followLifecycle } from '../shell/lifecycle.ts'
import type { LinkInbox } from '../shell/link-inbox.ts'
import type { LogFile } from '../shell/log-file.ts'
import type { AppWindow } from './app-window.ts'
import type { RunningApp } from './run.ts'

interface FollowingParts extends Pick<AppWindow, 'mainWindow' | 'channel' | 'quit'> {
  readonly running: Promise<RunningApp>
  readonly links: LinkInbox
  readonly stopNow: () => void
  readonly log: LogFile
}

/** Goes by what the desktop does to the app, also while the transfers are still read. */
export function followSystem({ running, mainWindow, channel, quit, links, stopNow, log }: FollowingParts): void {
  let updates: AppUpdates | null = null
  running.then(
    (loaded) => (updates = loaded.updates),
    // The start says why.
    () => undefined,
  )
  followLifecycle({
    show: () => void mainWindow.show().catch((error: unknown) => log.error('show window', error)),
    links,
    tellLinks: () => channel.send('links:arrived', null),
    beginQuit: quit.begin,
    close: async () => (await running).close(),
    // A list that takes too long to be read is not waited for: there are no updates before it.
    leave: () => (updates?.isRestarting() === true ? updates.installAndRestart() : Promise.resolve(app.exit(0))),
    stopNow,
  })
}
