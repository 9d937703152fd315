import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { app, BrowserWindow, nativeTheme, screen, type Rectangle, type Size } from 'electron'
import { APP_URL } from './app-protocol.ts'
import type { NamedValues } from '../../services/persistence/named-values.ts'
import { fitted, keptBounds, loadWindowState, saveWindowState } from './window-state.ts'

/** The page's session, in memory: what has no prefix `persist:` is gone at the end. */
export const PAGE_PARTITION = 'page'

const RELOAD_DELAY_MS = 1000
/** A page that isn't drawn for so long is shown as it is. */
const DRAW_PATIENCE_MS = 10_000
/** A window that is dragged moves many times. */
const SAVE_DELAY_MS = 500
/** Device-independent pixels, on screens that have room for it. */
const FIRST_SIZE: Size = { width: 1080, height: 720 }
const LEAST_SIZE: Size = { width: 640, height: 480 }

/** The app's one window, which may be closed while the app runs on (macOS). */
export interface MainWindow {
  readonly current: () => BrowserWindow | null
  /** Brings it to the front; opens it where it was last time if there is none. Resolves when its page is loaded and drawn. */
  readonly show: () => Promise<void>
  /** Tells whenever it comes into sight. */
  readonly followSeen: (listener: () => void) => void
}

interface MainWindowDeps {
  readonly values: NamedValues
  /** Folder of the built files. */
  readonly folder: string
  /** Whether a person must be asked before it closes; they have been asked when this returns true. */
  readonly holdsClose: () => boolean
  /** A person quits by the keys for it. */
  readonly quit: () => void
}

export function createMainWindow({ values, folder, holdsClose, quit }: MainWindowDeps): MainWindow {
  let current: BrowserWindow | null = null
  let opening: Promise<void> | null = null
  let tellSeen = (): void => undefined

  async function open(): Promise<void> {
    const areas = screen.getAllDisplays().map((display) => display.workArea)
    const state = await loadWindowState(values, areas)
    const wanted = state?.bounds ?? firstBounds()
    const opened = fitted(wanted, areas)
    const window = createWindow(folder, opened)
    current = window
    const seen = (): void => tellSeen()
    window.on('show', seen).on('restore', seen).on('focus', seen)
    const drawn = showWhenDrawn(window, state?.isMaximized === true)
    const save = (): void => {
      const bounds = keptBounds(window.getNormalBounds(), opened, wanted)
      // The window may go without it: then it opens where it was before.
      saveWindowState(values, { bounds, isMaximized: window.isMaximized() }).catch(() => undefined)
    }
    // Not only at the end, which a kill or a power cut leaves out.
    let saving: NodeJS.Timeout | undefined
    const saveSoon = (): void => {
      clearTimeout(saving)
      saving = setTimeout(save, SAVE_DELAY_MS)
    }
    window.on('resize', saveSoon).on('move', saveSoon).on('maximize', saveSoon).on('unmaximize', saveSoon)
    window.on('close', (event) => {
      if (holdsClose()) return event.preventDefault()
      save()
    })
    window.once('closed', () => {
      clearTimeout(saving)
      current = null
    })
    // The page is asked first about all other keys; one that hangs never answers.
    window.webContents.on('before-input-event', (event, { type, key, control, shift, alt, meta }) => {
      if (type !== 'keyDown' || key.toLowerCase() !== 'q' || !control || shift || alt || meta) return
      if (process.platform === 'darwin') return
      event.preventDefault()
      quit()
    })
    // The transfers don't live in the page: a new one shows them again. Not at once, or a page that can't live spins.
    window.webContents.on('render-process-gone', () => {
      setTimeout(() => {
        // A reload does nothing where it died before there was anything to load.
        if (current === window) loadPage(window).catch(() => undefined)
      }, RELOAD_DELAY_MS)
    })
    await Promise.all([loadPage(window), drawn])
  }

  return {
    current: () => current,
    show: async () => {
      // Asked twice while it opens (the app launched again), there is still one.
      if (current === null || opening !== null) return (opening ??= open().finally(() => (opening = null)))
      if (current.isMinimized()) current.restore()
      current.show()
      current.focus()
    },
    followSeen: (listener) => {
      tellSeen = listener
    },
  }
}

/** Resolves when it is on the screen, or is gone: one that goes before it is drawn holds nothing up. */
function showWhenDrawn(window: BrowserWindow, isMaximized: boolean): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(patience)
      resolve()
    }
    const show = (): void => {
      settle()
      if (window.isVisible()) return
      if (isMaximized) window.maximize()
      window.show()
    }
    // An empty window says more than none.
    const patience = setTimeout(show, DRAW_PATIENCE_MS)
    window.once('ready-to-show', show)
    window.once('closed', settle)
  })
}

/**
 * Resolves when its page is there, or is gone: one that dies is loaded anew, which replaces a load that goes on, and a
 * window that is closed needs none.
 * @throws what else keeps it from being loaded.
 */
async function loadPage(window: BrowserWindow): Promise<void> {
  try {
    await window.loadURL(APP_URL)
  } catch (error) {
    // Loading stops before the window is told that its page is gone.
    await setImmediate()
    const isReplaced = error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED'
    if (!isReplaced && !window.isDestroyed() && !window.webContents.isCrashed()) throw error
  }
}

/** In the middle of the first screen. */
function firstBounds(): Rectangle {
  const area = screen.getPrimaryDisplay().workArea
  const x = area.x + Math.round((area.width - FIRST_SIZE.width) / 2)
  const y = area.y + Math.round((area.height - FIRST_SIZE.height) / 2)
  return { x, y, ...FIRST_SIZE }
}

function createWindow(folder: string, bounds: Rectangle): BrowserWindow {
  return new BrowserWindow({
    x: bounds.x,
    y: bounds.y,
    width: bounds.width,
    height: bounds.height,
    minWidth: Math.min(LEAST_SIZE.width, bounds.width),
    minHeight: Math.min(LEAST_SIZE.height, bounds.height),
    show: false,
    title: 'Sluice',
    icon: join(folder, 'icon.png'),
    // --canvas of the page, so that nothing flashes before it is drawn.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#111317' : '#f5f6f8',
    webPreferences: {
      preload: join(folder, 'preload.cjs'),
      partition: PAGE_PARTITION,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  })
}
