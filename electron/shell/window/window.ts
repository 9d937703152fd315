import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { app, BrowserWindow, nativeTheme, screen, type Rectangle, type Size } from 'electron'
import { APP_URL } from './app-protocol.ts'
import type { NamedValues } from '../../services/persistence/named-values.ts'
import { fitted, keptBounds, loadWindowState, saveWindowState } from './window-state.ts'

/** The page's session, kept in memory: without the prefix `persist:` it is gone when the app ends. */
export const PAGE_PARTITION = 'page'

const RELOAD_DELAY_MS = 1000
/** A page that is not drawn for this long is shown as it is. */
const DRAW_PATIENCE_MS = 10_000
/** A dragged window moves many times. */
const SAVE_DELAY_MS = 500
/** Device-independent pixels, on screens that have the room. */
const FIRST_SIZE: Size = { width: 1080, height: 720 }
const LEAST_SIZE: Size = { width: 640, height: 480 }

/** The app's only window, which may be closed while the app keeps running (macOS). */
export interface MainWindow {
  readonly current: () => BrowserWindow | null
  /** Brings the window to the front, or opens it where it last was. Resolves when its page is loaded and drawn. */
  readonly show: () => Promise<void>
  /** The listener is called whenever the window comes into sight. */
  readonly followSeen: (listener: () => void) => void
}

interface MainWindowDeps {
  readonly values: NamedValues
  /** Folder of the built files. */
  readonly folder: string
  /** Returns true when the window must stay open, because transfers keep running or a person is being asked. */
  readonly holdsClose: () => boolean
  /** A person uses the keyboard shortcut to quit. */
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
      // The window may close without a saved state: then it opens where it was before.
      saveWindowState(values, { bounds, isMaximized: window.isMaximized() }).catch(() => undefined)
    }
    // Saves while the window is used, because a kill or a power cut leaves no time at the end.
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
    // The page gets all other keys first; a page that hangs never answers.
    window.webContents.on('before-input-event', (event, { type, key, control, shift, alt, meta }) => {
      if (type !== 'keyDown' || key.toLowerCase() !== 'q' || !control || shift || alt || meta) return
      if (process.platform === 'darwin') return
      event.preventDefault()
      quit()
    })
    // The transfers don't live in the page, so a new one shows them again. Delayed, or a page that always dies would
    // spin.
    window.webContents.on('render-process-gone', () => {
      setTimeout(() => {
        // Reloading does nothing if the page died before there was anything to load.
        if (current === window) loadPage(window).catch(() => undefined)
      }, RELOAD_DELAY_MS)
    })
    await Promise.all([loadPage(window), drawn])
  }

  return {
    current: () => current,
    show: async () => {
      // When shown again while it opens (the app was launched again), there is still only one window.
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

/** Resolves when the window is on the screen or gone: a window that goes before it is drawn holds nothing up. */
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
 * Resolves when the page is there or gone: a page that dies is loaded anew, which replaces a load under way, and a
 * closed window needs no page.
 * @throws whatever else prevents loading.
 */
async function loadPage(window: BrowserWindow): Promise<void> {
  try {
    await window.loadURL(APP_URL)
  } catch (error) {
    // Loading stops before the window learns that its page is gone.
    await setImmediate()
    const isReplaced = error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED'
    if (!isReplaced && !window.isDestroyed() && !window.webContents.isCrashed()) throw error
  }
}

/** The middle of the primary screen. */
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
    // The page's --canvas color, so nothing flashes before the page is drawn.
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
