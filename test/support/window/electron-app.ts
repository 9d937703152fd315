import { once } from 'node:events'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { DROPPED_PATH } from '../../../shared/ipc/dropped-path.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface LaunchedSluice {
  readonly app: ElectronApplication
  readonly page: Page
  /** Quits as a signal or the end of the session would, without a question; resolves when the process is gone. */
  close(): Promise<void>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
}

/** A machine that stands still for a while, as busy ones do, fails no test (ms). */
export const PATIENCE_MS = 120_000

/** The windows that are open, for the report of a test that failed. */
export const openPages = new Set<Page>()

/** Path of the development Electron's executable; `npm test` says where that is. */
export function electronExecutable(): string {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(ROOT, 'node_modules', 'electron', 'dist')
  if (process.platform === 'win32') return join(folder, 'electron.exe')
  if (process.platform === 'darwin') return join(folder, 'Electron.app', 'Contents', 'MacOS', 'Electron')
  return join(folder, 'electron')
}

/**
 * A virtual screen has no graphics card: each start would try one, then what stands in for one, and draw by itself only
 * after both failed.
 */
const WITHOUT_GRAPHICS_CARD = ['--disable-gpu', '--disable-software-rasterizer']

/** What follows the executable: the built app of this checkout, with all its state in `userDataDir`. */
export function sluiceArguments(userDataDir: string): string[] {
  const isLinux = process.platform === 'linux'
  const needsNoSandbox = isLinux && process.getuid?.() === 0
  const switches = [...(needsNoSandbox ? ['--no-sandbox'] : []), ...(isLinux ? WITHOUT_GRAPHICS_CARD : [])]
  return [...switches, `--user-data-dir=${userDataDir}`, ROOT]
}

export interface LaunchOptions {
  readonly userDataDir: string
  /** What the system opens the app with. */
  readonly links?: readonly string[]
  /** Path of a script that the main process runs before the app's own. */
  readonly preload?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Lets the page name these files and folders, as if a person had dropped them. */
export async function choosePaths({ app }: Pick<LaunchedSluice, 'app'>, ...paths: readonly string[]): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow, ipcMain }, { channel, chosen }) => {
      const [window] = BrowserWindow.getAllWindows()
      for (const path of chosen) ipcMain.emit(channel, { senderFrame: window?.webContents.mainFrame }, path)
    },
    { channel: DROPPED_PATH, chosen: paths },
  )
}

/** Starts the built app, which may show no window. */
export async function startSluice({
  userDataDir,
  links = [],
  preload,
  environment = {},
}: LaunchOptions): Promise<ElectronApplication> {
  const app = await _electron.launch({
    executablePath: electronExecutable(),
    args: [...(preload === undefined ? [] : ['-r', preload]), ...sluiceArguments(userDataDir), ...links],
    cwd: ROOT,
    timeout: PATIENCE_MS,
    // Texts are looked for in English, whatever the machine speaks.
    env: { ...(process.env as Record<string, string>), LANGUAGE: 'en', ...environment },
  })
  app.context().setDefaultTimeout(PATIENCE_MS)
  return app
}

/** Starts the built app and waits for its window to be usable. */
export async function launchSluice(options: LaunchOptions): Promise<LaunchedSluice> {
  const app = await startSluice(options)
  const page = await app.firstWindow({ timeout: PATIENCE_MS })
  openPages.add(page)
  page.on('close', () => openPages.delete(page))
  await page.getByRole('treegrid').waitFor({ state: 'attached' })
  const child = app.process()
  const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  return {
    app,
    page,
    close: async () => {
      await app.close()
      await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** All that the page reads, also one that came after a crash: what drives a page doesn't outlive its process. */
export function textOfPage(app: ElectronApplication): Promise<string> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
  ) as Promise<string>
}
