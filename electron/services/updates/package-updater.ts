// Gives electron-updater a verified list of one file to fetch. It looks for nothing by itself.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import { isNoSpace } from '../../errno/errno.ts'
import type { UpdateLine } from './fetch-list.ts'
import type { ProxySignIn, SignInCallback } from './proxy-sign-in.ts'
import { replaceAppImage, startAfterEnd } from './app-image.ts'
import { NOT_INSTALLED, UpdateError } from './update-error.ts'
import type { UpdateList } from './update-list.ts'
import type { UpdatePackages } from './updates.ts'

interface PackageUpdaterOptions {
  readonly platform: NodeJS.Platform
  /** The address below which the files that lists name lie. */
  readonly url: string
  /** Path of the file that names electron-updater's download folder. */
  readonly configPath: string
  /** The file of this copy if it is an AppImage, otherwise null. */
  readonly appImage: string | null
  /** Arguments for the next start. */
  readonly args: readonly string[]
  readonly isPackaged: boolean
  readonly signIn: UpdateLine['signIn']
  /** Ends this process at once, even if a drive hangs. */
  readonly exit: () => void
  /** Ends this process at once and starts the program again. */
  readonly startAgain: (args: readonly string[]) => void
  readonly onError: (what: string, error: unknown) => void
}

/** How long the system may take to check a new version and end this process; then the old version is started again. */
const HANDOVER_MS = 180_000

/** Downloads the file that a list names and replaces this copy with it. */
export function createPackageUpdater(options: PackageUpdaterOptions): UpdatePackages {
  const { platform, appImage, args, exit, startAgain, onError } = options
  let ready: { readonly updater: AppUpdater; readonly list: UpdateList; readonly path: string } | null = null

  return {
    download: async (list, onFraction, signal) => {
      ready = null
      const signIn = await options.signIn(new URL(list.file.name, options.url).href)
      const updater = await updaterFor(list, options)
      const path = await fetched({ updater, signIn }, list, onFraction, signal)
      if ((await sha512Of(path)) !== list.file.sha512)
        throw new UpdateError('damaged', `${path} is not the signed file.`)
      ready = { updater, list, path }
    },
    installAndRestart: async () => {
      if (ready === null) return exit()
      const { updater, list, path } = ready
      try {
        // Days may pass between download and restart.
        if ((await sha512Of(path)) !== list.file.sha512) throw new UpdateError('damaged', `${path} was changed.`)
        if (platform !== 'linux') throw await refusal(updater)
        if (appImage === null) return exit()
        await replaceAppImage(path, appImage)
        startAfterEnd(appImage, args)
        exit()
      } catch (error) {
        onError('install update', error)
        // Everything in this process is closed, so it can't go on, and a person waits for a window.
        const next = [...args, NOT_INSTALLED]
        if (appImage === null) return startAgain(next)
        startAfterEnd(appImage, next)
        exit()
      }
    },
  }
}

/** Hands over to the system, which ends this process. Resolves with the reason if it doesn't. */
function refusal(updater: AppUpdater): Promise<Error> {
  return new Promise((resolve) => {
    updater.once('error', resolve)
    setTimeout(() => resolve(new Error('The system did not install the update in time.')), HANDOVER_MS)
    updater.quitAndInstall(true, true)
  })
}

async function updaterFor(list: UpdateList, options: PackageUpdaterOptions): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater, Provider } = await import('electron-updater')
  const { url, platform, configPath, isPackaged, onError } = options

  class SignedList extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }

    override getLatestVersion(): Promise<UpdateInfo> {
      const { name, sizeBytes, sha512 } = list.file
      const files = [{ url: name, sha512, size: sizeBytes }]
      return Promise.resolve({ version: list.version, files, path: name, sha512, releaseDate: '' })
    }

    override resolveFiles({ files }: UpdateInfo): ResolvedUpdateFileInfo[] {
      return files.map((info) => ({ url: new URL(info.url, url), info }))
    }
  }

  const Updater = platform === 'win32' ? NsisUpdater : platform === 'darwin' ? MacUpdater : AppImageUpdater
  const updater = new Updater()
  updater.updateConfigPath = configPath
  // After the path is set, because setting it makes the updater forget its feed.
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedList })
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.disableWebInstaller = true
  // A differential download trusts block maps that are not signed.
  updater.disableDifferentialDownload = true
  updater.forceDevUpdateConfig = !isPackaged
  updater.logger = { info: ignore, warn: ignore, error: (message: unknown) => onError('electron-updater', message) }
  return updater
}

function ignore(): void {
  // Progress is shown by whoever started the update.
}

/** Resolves with the path of the downloaded file. Throws UpdateError, or the signal's reason. */
async function fetched(
  { updater, signIn }: { readonly updater: AppUpdater; readonly signIn: ProxySignIn },
  { file }: UpdateList,
  onFraction: (fraction: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const { CancellationToken } = await import('electron-updater')
  signal.throwIfAborted()
  const token = new CancellationToken()
  signal.addEventListener('abort', () => token.cancel(), { once: true })
  updater.on('login', (asking, callback) => signIn.answer(asking, callback as SignInCallback))
  updater.on('download-progress', ({ transferred }) => {
    if (transferred > file.sizeBytes) token.cancel()
    else onFraction(transferred / file.sizeBytes)
  })
  try {
    const found = await updater.checkForUpdates()
    if (found?.isUpdateAvailable !== true) throw new Error('The update is not newer.')
    const [path] = await updater.downloadUpdate(token)
    if (path === undefined) throw new Error('Nothing was downloaded.')
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_CHECKSUM_MISMATCH') throw new UpdateError('damaged', 'The update is not the signed one.', error)
    if (isNoSpace(error)) throw new UpdateError('no-room', 'No room for the update.', error)
    if (signIn.isRefused()) throw new UpdateError('proxy-sign-in', 'The proxy refused to pass the update.', error)
    throw new UpdateError('not-downloaded', 'The update could not be downloaded.', error)
  }
}

async function sha512Of(path: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64')
}
