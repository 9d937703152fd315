import { existsSync } from 'node:fs'
import { capture, onPath, run } from '../child.mjs'
import { Failure, say } from '../say.mjs'

const ELECTRON_PACKAGES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libx11-xcb1',
  'libxss1',
  'libxtst6',
  'libnotify4',
  'libsecret-1-0',
]

/** Waits (seconds) because the system's own updates may be running. */
const PATIENT = ['-o', 'DPkg::Lock::Timeout=300']

/** Libraries that Electron opens by name at run time, and can't run without. `ldd` doesn't list them. */
const OPENED_BY_NAME = ['libX11-xcb.so.1']

/** Makes sure that Electron's shared libraries are installed. Only on Linux do they come from the system. */
export async function ensureElectronLibraries(executable) {
  if (process.platform !== 'linux') return
  const missing = [...(await unresolved(executable)), ...(await unknown(OPENED_BY_NAME))]
  if (missing.length === 0) return
  const others = missing.length > 3 ? ` and ${missing.length - 3} other libraries` : ''
  await installPackages(ELECTRON_PACKAGES, `Electron needs ${missing.slice(0, 3).join(', ')}${others}`)
}

async function unresolved(executable) {
  const { output } = await capture('ldd', [executable])
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, library]) => library)
}

async function unknown(libraries) {
  const { code, stdout } = await capture('/sbin/ldconfig', ['-p'])
  return code === 0 ? libraries.filter((library) => !stdout.includes(library)) : []
}

/**
 * Makes sure that programs are on the PATH, and files at their full paths, by installing the Debian packages that
 * contain them.
 */
export async function ensurePrograms(packageByProgram, why) {
  const isThere = (name) => (name.startsWith('/') ? existsSync(name) : onPath(name))
  const missing = Object.entries(packageByProgram).filter(([name]) => !isThere(name))
  const names = missing.map(([, name]) => name)
  if (names.length > 0) await installPackages(names, why)
}

/** Installs and names the packages, as root on Debian and its derivatives. Otherwise fails with the command to run. */
async function installPackages(names, why) {
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Failure(
      `${why}. On Debian the packages are called ${names.join(' ')}; install your system's equivalents.`,
    )
  }
  if (process.getuid() !== 0) {
    const here = await namesHere(names)
    throw new Failure(`${why}. Install what is missing with\n\n  sudo apt-get install ${here.join(' ')}\n`)
  }
  say(`${why}. Installing ${names.join(' ')} with apt-get.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 2, 2] })
  const args = [...PATIENT, 'install', '-y', '-qq', '--no-install-recommends', ...(await namesHere(names))]
  const code = await run('apt-get', args, { env, stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new Failure(`apt-get could not install them (exit status ${code}).`)
}

/** The packages' names on this system. Newer releases renamed some, such as libasound2 to libasound2t64. */
async function namesHere(names) {
  const renamed = names.map((name) => `${name}t64`)
  const { stdout } = await capture('apt-cache', ['policy', ...renamed])
  const known = new Set([...stdout.matchAll(/^(\S+):\n.*\n\s+Candidate: (?!\(none\))/gm)].map(([, name]) => name))
  return names.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name))
}
