import { createWindowChannel, type WindowChannel } from '../ipc/window-channel.ts'
import type { KeptValues } from '../services/index.ts'
import { showMenuTitles } from '../shell/desk/menu-bar.ts'
import { startsHidden } from '../shell/login-item.ts'
import { createQuitDialog, type QuitFacts } from '../shell/quit/ask-quit.ts'
import type { Quit } from '../shell/quit/quit.ts'
import { APP_ORIGIN } from '../shell/window/app-protocol.ts'
import { createMainWindow, type MainWindow } from '../shell/window/window.ts'
import { BUILT_FILES } from './built-files.ts'

/** The window, the channel to its page, and the question before both go away. */
export interface AppWindow {
  readonly mainWindow: MainWindow
  readonly channel: WindowChannel
  readonly quit: Quit
  /** Opens the window, unless the app starts hidden. Settles once the window is open, if it should be. */
  readonly showFirst: () => Promise<void>
}

/** Does not open a window yet. `quitFacts` describes the transfers that a quit would pause. */
export function createAppWindow(
  { settings, values }: Pick<KeptValues, 'settings' | 'values'>,
  quitFacts: QuitFacts,
): AppWindow {
  const quit = createQuitDialog(settings, () => mainWindow.current(), quitFacts)
  const mainWindow = createMainWindow({
    ...{ values, folder: BUILT_FILES },
    // On a Mac, the app outlives its window.
    holdsClose: () => process.platform !== 'darwin' && quit.holdsClose(),
    quit: () => void quit.request(),
  })
  return {
    mainWindow,
    channel: createWindowChannel(mainWindow.current, APP_ORIGIN),
    quit,
    showFirst: async () => {
      if (startsHidden(settings.get())) return
      showMenuTitles(process.platform)
      await mainWindow.show()
    },
  }
}
