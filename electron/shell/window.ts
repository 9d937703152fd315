import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { APP_URL } from './app-protocol.ts'
import type { NamedValues } from '../services/common/named-values.ts'
import { loadWindowState, saveWindowState } from './window-state.ts'

/** The page's session, in memory: what has no prefix `persist:` is gone at the end. */
export const PAGE_PARTITION = 'page'

const RELOAD_DELAY_MS = 1000
/** A window that is dragged moves many times. */
const SAVE_DELAY_MS = 500

/** The app's one window, which may be closed while the app runs on (macOS). */
export interface MainWindow {
  readonly current: () => BrowserWindow | null
  /** Brings it to the front; opens it where it was last time if there is none. Resolves when its page is loaded. */
  readonly show: () => Promise<void>
}

interface MainWindowDeps {
  readonly values: NamedValues
  /** Folder of the built files. */
  readonly folder: string
  /** Whether a person must be asked before it closes; they have been asked when this returns true. */
  readonly holdsClose: () => boolean
}

export function createMainWindow({ values, folder, holdsClose }: MainWindowDeps): MainWindow {
  let current: BrowserWindow | null = null
  let opening: Promise<void> | null = null

  async function open(): Promise<void> {
    const areas = screen.getAllDisplays().map((display) => display.workArea)
    const state = await loadWindowState(values, areas)
    const window = createWindow(folder)
    current = window
    if (state !== null) window.setBounds(state.bounds)
    window.once('ready-to-show', () => {
      if (state?.isMaximized === true) window.maximize()
      window.show()
    })
    const save = (): void => {
      const kept = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }
      // The window may go without it: then it opens where it was before.
      saveWindowState(values, kept).catch(() => undefined)
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
    // The transfers don't live in the page: a new one shows them again. Not at once, or a page that can't live spins.
    window.webContents.on('render-process-gone', () => {
      setTimeout(() => {
        if (current === window) window.webContents.reload()
      }, RELOAD_DELAY_MS)
    })
    await window.loadURL(APP_URL)
  }

  return {
    current: () => current,
    show: async () => {
      // Asked twice while it opens (the app launched again), there is still one.
      if (current === null) return (opening ??= open().finally(() => (opening = null)))
      if (current.isMinimized()) current.restore()
      current.show()
      current.focus()
    },
  }
}

function createWindow(folder: string): BrowserWindow {
  return new BrowserWindow({
    width: 1080,
    height: 720,
    minWidth: 640,
    minHeight: 480,
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
