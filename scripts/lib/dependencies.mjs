import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { npm } from './child.mjs'
import { withLock } from './lock.mjs'
import { cacheFolder, inRoot, root } from './paths.mjs'
import { Failure, step } from './say.mjs'

/** Packages that need one of their optional packages: the one with the binary for this kind of machine. */
const WITH_BINARIES = ['libsql']

/** Installs the locked packages unless exactly those are installed. Throws Failure. */
export async function ensureDependencies() {
  if (installed()) return
  requireBinaries()
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 12)
  await withLock(join(cacheFolder(), `install-${checkout}.lock`), async () => {
    if (installed()) return
    const { code, output } = await step('Installing packages', () =>
      npm(['ci', '--include=optional', '--loglevel=error']),
    )
    if (code !== 0) throw new Failure(failureWords(output, process.platform))
  })
}

function requireBinaries() {
  const { os, cpu } = thisMachine()
  const unserved = unservedBy(packagesOf(inRoot('package-lock.json')), thisMachine())
  const remedy = os === 'win32' ? ' Install Node for x64, which Windows can run as well.' : ''
  if (unserved.length > 0) throw new Failure(`There is no ${unserved.join(', ')} for ${os} ${cpu}.${remedy}`)
}

/** The message for an installation that failed with this output of npm. */
export function failureWords(output, platform) {
  const told = `npm ci failed:\n${output.split('\n', 25).join('\n')}`
  const isHeldOpen = platform === 'win32' && /\b(EPERM|EBUSY)\b/.test(output)
  return isHeldOpen
    ? `${told}\n\nQuit any Sluice that was started from this folder: Windows locks the files it uses.`
    : told
}

/** The packages that have binaries, but none for `machine`. `wanted` is the `packages` member of npm's lock file. */
export function unservedBy(wanted, machine) {
  return WITH_BINARIES.filter((name) => {
    const { optionalDependencies = {} } = wanted[`node_modules/${name}`] ?? {}
    const binaries = Object.keys(optionalDependencies).map((binary) => wanted[`node_modules/${binary}`] ?? {})
    return !binaries.some((entry) => isMadeFor(entry, machine))
  })
}

/** Whether the locked packages are installed. npm writes their lock file last, so an interrupted install has none. */
function installed() {
  const wanted = packagesOf(inRoot('package-lock.json'))
  const found = packagesOf(inRoot('node_modules', '.package-lock.json'))
  return missingPackages(wanted, found, thisMachine()).length === 0
}

/**
 * The folders of packages that `wanted` lists and `found` lacks, or has in another version; both are the `packages`
 * member of npm's lock file. An optional package counts only if it is made for `machine`: then it is the one with the
 * binary that another package loads.
 */
export function missingPackages(wanted, found, machine) {
  return Object.entries(wanted)
    .filter(([folder, entry]) => {
      if (folder === '') return false
      if (found[folder] === undefined) return !entry.optional || isMadeFor(entry, machine)
      return found[folder].version !== entry.version
    })
    .map(([folder]) => folder)
}

/** Whether a package names the machines it is for, and `machine` is one of them. */
function isMadeFor(entry, machine) {
  const named = Object.keys(machine).filter((property) => entry[property] !== undefined)
  return named.length > 0 && named.every((property) => entry[property].includes(machine[property]))
}

/** This machine, in the members by which packages name the machines they are for. */
function thisMachine() {
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  return { os: process.platform, cpu: process.arch, libc: isGlibc ? 'glibc' : 'musl' }
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return {}
  }
}
