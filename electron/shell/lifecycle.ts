import { app, BrowserWindow, dialog } from 'electron'
import type { LinkInbox } from './link-inbox.ts'
import { t } from '../../shared/language/translate.ts'

const CLOSE_TIMEOUT_MS = 5000
/** The page closes its window; a window whose page hangs this long is destroyed. */
const PAGE_TIMEOUT_MS = 2000

interface LifecycleActions {
  /** Shows the window, and opens it if there is none. */
  readonly show: () => void
  readonly links: Pick<LinkInbox, 'add' | 'follow'>
  /** Tells the window that there are links to take. */
  readonly tellLinks: () => void
  /** No question is asked from here on. */
  readonly beginQuit: () => void
  /** Makes everything durable. */
  readonly close: () => Promise<void>
  /** Ends the process, once everything is closed. */
  readonly leave: () => Promise<void>
  /** Whether a thread would hold up the end of the process, once everything is closed. */
  readonly isHeldUp: () => boolean
  /** Ends the process, even if a thread holds it up. */
  readonly endNow: () => Promise<void>
  /** Like `close`, but no longer waits for anything under way. */
  readonly stopNow: () => void
}

/** Starts the app once Electron is ready, and says why if it can't. */
export function startApp(start: () => Promise<void>): void {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      for (const window of BrowserWindow.getAllWindows()) window.hide()
      dialog.showErrorBox(t('shell.cannot-start'), error instanceof Error ? error.message : String(error))
      app.exit(1)
    })
}

/** Handles what the desktop does to the app: another launch, the dock, the last window, the end. */
export function followLifecycle(actions: LifecycleActions): void {
  const { show, links, tellLinks, beginQuit } = actions
  app.on('second-instance', (_event, argv, folder) => {
    show()
    // Foreign input: of all that the other launch was given, only links and files are used, which a sheet asks about.
    void links.add(argv, folder)
  })
  links.follow(() => {
    show()
    tellLinks()
  })
  app.on('activate', show)
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('before-quit', () => {
    beginQuit()
    setTimeout(() => BrowserWindow.getAllWindows().forEach((window) => window.destroy()), PAGE_TIMEOUT_MS)
  })
  followEnd(actions)
}

function followEnd({ close, leave, isHeldUp, endNow, stopNow }: LifecycleActions): void {
  let isClosing = false
  let isClosed = false
  app.on('will-quit', (event) => {
    // An update installer ends the app itself after closing, and waits for that.
    if (isClosed && !isHeldUp()) return
    event.preventDefault()
    if (isClosed) return void endNow()
    if (isClosing) return stopNow()
    isClosing = true
    const timeout = new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))
    // Everything is durable at any time; closing only spares the next start some checks.
    void Promise.race([close(), timeout])
      .catch(() => undefined)
      .then(() => {
        isClosed = true
        return leave()
      })
      .catch(() => app.exit(1))
  })
}
