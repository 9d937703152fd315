import { readFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'

const SEVERE = new Set(['high', 'critical'])

/** Whether an Electron version gets security updates, according to `engines` in package.json. */
export function isSupportedElectron(version, { engines } = packageFacts()) {
  const floor = numbersOf(engines.electron)
  const given = numbersOf(version)
  const at = floor.findIndex((number, index) => number !== given[index])
  return at === -1 || given[at] > floor[at]
}

/** The names of `roots` and of all packages that they depend on, according to a lock file. */
export function packagesBelow(lock, roots) {
  const byName = new Map()
  for (const [folder, facts] of Object.entries(lock.packages)) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // Several versions of one package are merged.
    if (folder !== '') byName.set(name, [...(byName.get(name) ?? []), facts])
  }
  const found = new Set()
  const open = [...roots]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const { dependencies = {}, optionalDependencies = {} } of byName.get(name) ?? [])
      open.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies))
  }
  return found
}

/** One line for each severe advisory about one of `names`; null if `report` isn't an audit report. */
export function severeAmong(report, names) {
  if (typeof report?.vulnerabilities !== 'object') return null
  const found = Object.values(report.vulnerabilities).filter(
    ({ name, severity }) => SEVERE.has(severity) && names.has(name),
  )
  return found.map(({ name, severity, via }) => {
    const titles = via.map((each) => (typeof each === 'string' ? `by ${each}` : each.title))
    return `${name} (${severity}): ${titles.join('; ')}`
  })
}

export function packageFacts() {
  return JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
}

function numbersOf(version) {
  return (/\d+\.\d+\.\d+/.exec(version)?.[0] ?? '0.0.0').split('.').map(Number)
}
