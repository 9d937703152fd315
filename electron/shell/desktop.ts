import {
  app,
  BaseWindow,
  clipboard,
  dialog,
  nativeImage,
  Notification,
  shell,
  type BrowserWindow,
  type OpenDialogOptions,
} from 'electron'
import { join } from 'node:path'
import type { Settings } from '../../shared/settings.ts'
import type { AppInfo } from '../../shared/ipc/app-info.ts'
import type { FolderFileName } from '../../shared/transfer/folder-file.ts'
import { isFinishedFile, type TransferId, type TransferRow } from '../../shared/transfer/transfer.ts'
import { nodeFiles, type Engine } from '../engine/index.ts'
import { RequestError } from '../services/requests/request-error.ts'
import type { SettingsStore } from '../services/persistence/settings-store.ts'
import { ownAppImage, startAfterEnd } from '../services/updates/app-image.ts'
import { barOn } from './taskbar.ts'
import { createNotificationKeeper, type Notice } from './notifications.ts'
import { wouldRun } from './would-run.ts'
import { ownSystem, systemLanguage } from './language.ts'
import { message } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'

/** Shown beside the pointer while files are dragged out of the window. */
const DRAG_ICON = nativeImage.createFromPath(join(import.meta.dirname, 'icon.png')).resize({ width: 32 })

interface DesktopDeps {
  readonly window: () => BrowserWindow | null
  readonly engine: Pick<Engine, 'row' | 'localPathOf'>
  readonly settings: Pick<SettingsStore, 'get'>
  readonly keyring: () => AppInfo['keyring']
}

export type Desktop = ReturnType<typeof createDesktop>

/** What the window needs from the desktop around it. */
export function createDesktop({ window, engine, settings, keyring }: DesktopDeps) {
  const notifications = createNotificationKeeper()
  const downloadsFolder = (): string => settings.get().downloadsFolder ?? app.getPath('downloads')

  return {
    ...createChooser(window, downloadsFolder),
    ...createFileOpener(engine, window),
    freeBytes,
    iconBar: barOn(process.platform, window, () => new BaseWindow({ show: false })),
    /** Calls attention only if the person wants notifications of it. */
    iconSigns: {
      showCount: (count: number) => void app.setBadgeCount(count),
      callAttention: () => {
        if (settings.get().notifiesAttention) app.dock?.bounce('informational')
      },
    },
    showDownloaded: (path: string) => app.dock?.downloadFinished(path),
    isFocused: () => window()?.isFocused() ?? false,
    notify: ({ kind, title, body, ids }: Notice, onClick: (ids: readonly TransferId[]) => void) => {
      if (isWanted(kind, settings.get()) && Notification.isSupported()) {
        notifications.show(new Notification({ title, body, silent: true }), () => onClick(ids))
      }
    },
    copy: (text: string) => clipboard.writeText(text),
    linkOnClipboard: async (): Promise<string | null> => {
      // Newer versions of Electron return a promise, older ones the text itself.
      const text = (await clipboard.readText()).trim()
      return text.length <= MAX_LINK_CHARS && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : null
    },
    restart: () => {
      const appImage = ownAppImage(process.env, process.execPath)
      // The program of an AppImage vanishes as soon as this process ends.
      if (appImage === null) app.relaunch()
      else startAfterEnd(appImage, process.argv.slice(1))
      app.quit()
    },
    info: (): AppInfo => ({
      version: app.getVersion(),
      platform: ownSystem(),
      downloadsFolder: downloadsFolder(),
      ...{ keyring: keyring(), systemLanguage: systemLanguage() },
    }),
  }
}

/** Asks a person for files and folders in the system's own dialogs. */
function createChooser(window: DesktopDeps['window'], downloadsFolder: () => string) {
  async function choose(options: OpenDialogOptions): Promise<readonly string[]> {
    const parent = window()
    const { filePaths } = await (parent === null
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(parent, options))
    return filePaths
  }

  return {
    chooseFiles: () => {
      const title = t('shell.choose.upload')
      return choose({ title, buttonLabel: title, properties: ['openFile', 'multiSelections'] })
    },
    chooseFile: async (title: string) => {
      return (
        (await choose({ title, buttonLabel: t('shell.choose.finish-upload'), properties: ['openFile'] }))[0] ?? null
      )
    },
    chooseCertificate: async () => {
      const filters = [
        { name: t('shell.choose.certificates'), extensions: ['pem', 'crt', 'cer', 'der'] },
        { name: t('shell.choose.all-files'), extensions: ['*'] },
      ]
      const words = { title: t('shell.choose.add-certificate'), buttonLabel: t('shell.choose.add') }
      const [path] = await choose({ ...words, properties: ['openFile'], filters })
      return path ?? null
    },
    choosePlaces: async () => {
      const filters = [{ name: t('shell.choose.places'), extensions: ['json'] }]
      const words = { title: t('shell.choose.import-places'), buttonLabel: t('shell.choose.import') }
      const [path] = await choose({ ...words, properties: ['openFile'], filters })
      return path ?? null
    },
    chooseTarget: async (name: string, title: string) => {
      const options = { title, defaultPath: join(downloadsFolder(), name) }
      const parent = window()
      const { filePath } = await (parent === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(parent, options))
      return filePath === '' ? null : filePath
    },
    chooseFolder: async (defaultPath: string | null) => {
      const properties: OpenDialogOptions['properties'] = ['openDirectory', 'createDirectory']
      const [folder] = await choose({
        title: t('shell.choose.folder'),
        properties,
        defaultPath: defaultPath ?? downloadsFolder(),
      })
      return folder ?? null
    },
  }
}

/** Shows and opens the files of rows. */
function createFileOpener(engine: DesktopDeps['engine'], window: DesktopDeps['window']) {
  /** Only files that a row names and that exist: the window passes an id, never a path. */
  async function rowAt(id: TransferId): Promise<TransferRow> {
    const row = engine.row(id)
    if (row === null) throw new RequestError(message('shell.row-gone'))
    if (!(await isThere(row.localPath))) throw new RequestError(message('shell.file-gone', { path: row.localPath }))
    return row
  }

  return {
    reveal: async (id: TransferId) => shell.showItemInFolder((await rowAt(id)).localPath),
    revealFile: async (file: FolderFileName) => {
      const path = await engine.localPathOf(file)
      if (path === null) throw new RequestError(message('shell.row-gone'))
      if (!(await isThere(path))) throw new RequestError(message('shell.file-gone', { path }))
      shell.showItemInFolder(path)
    },
    /** Opens only what was uploaded from here, and never runs anything. */
    open: async (id: TransferId) => {
      const { localPath: path, direction, status } = await rowAt(id)
      if (direction !== 'upload' || status !== 'completed') throw new RequestError(message('shell.only-uploaded'))
      await openFile(path)
    },
    /** Opens a finished download that a person wanted to be opened. */
    openDownload: async (id: TransferId) => {
      const { localPath, direction, status } = await rowAt(id)
      if (direction === 'download' && status === 'completed') await openFile(localPath)
    },
    /** Drags only finished files: a program that takes a file expects all of it. */
    drag: async (ids: readonly TransferId[]) => {
      const rows = await Promise.all(ids.map(rowAt))
      const files = rows.filter(isFinishedFile).map(({ localPath }) => localPath)
      const [file] = files
      if (file === undefined) throw new RequestError(message('shell.only-finished'))
      window()?.webContents.startDrag({ file, files, icon: DRAG_ICON })
    },
  }
}

/** Only shows in its folder what the system would run or take commands from. */
async function openFile(path: string): Promise<void> {
  if (await wouldRun(path)) return shell.showItemInFolder(path)
  const problem = await shell.openPath(path)
  if (problem !== '') throw new RequestError(message('shell.cannot-open', { path, problem }))
}

function isWanted(kind: Notice['kind'], { notifiesDone, notifiesAttention }: Settings): boolean {
  return kind === 'done' ? notifiesDone : notifiesAttention
}

async function isThere(path: string): Promise<boolean> {
  return nodeFiles.stat(path).then(
    () => true,
    () => false,
  )
}

/** Returns the bytes that a folder's volume still accepts from this user; null when unknown (some network volumes). */
async function freeBytes(directory: string): Promise<number | null> {
  const volume = await nodeFiles.statfs(directory).catch(() => null)
  return volume === null || volume.blocks === 0 ? null : volume.bavail * volume.bsize
}
