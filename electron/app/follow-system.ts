import { areThreadsLeft, endThreads } from '../engine/index.ts'
import type { AppUpdates } from '../services/updates/index.ts'
import { followLifecycle } from '../shell/lifecycle.ts'
import { endProcess, isPoolBusy } from '../shell/quit/end-process.ts'
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

/** Reacts to what the desktop does to the app, even while the transfers are still being read. */
export function followSystem({ running, mainWindow, channel, quit, links, stopNow, log }: FollowingParts): void {
  let updates: AppUpdates | null = null
  running.then(
    (loaded) => (updates = loaded.updates),
    // `start` reports the reason.
    () => undefined,
  )
  followLifecycle({
    show: () => void mainWindow.show().catch((error: unknown) => log.error('show window', error)),
    links,
    tellLinks: () => channel.send('links:arrived', null),
    beginQuit: quit.begin,
    close: async () => (await running).close(),
    // Doesn't wait for a list that takes too long to read: until then there are no updates.
    leave: () => (updates?.isRestarting() === true ? updates.installAndRestart() : endProcess(endThreads)),
    isHeldUp: () => areThreadsLeft() || isPoolBusy(),
    endNow: () => endProcess(endThreads),
    stopNow,
  })
}
