import type { Transfers } from '../services/index.ts'
import type { LogFile } from '../shell/log-file.ts'
import type { AppWindow } from './app-window.ts'

/** Tells the window what a person should know, one notice after another. Opens a window if there is none. */
export function tellNotices(
  followNotices: Transfers['followNotices'],
  { mainWindow, channel }: Pick<AppWindow, 'mainWindow' | 'channel'>,
  log: LogFile,
): void {
  let told = Promise.resolve()
  followNotices((sentences) => {
    told = told
      .then(() => (mainWindow.current() === null ? mainWindow.show() : undefined))
      .then(() => channel.send('app:notice', { sentences }))
      .catch((error: unknown) => log.error('show window', error))
  })
}
