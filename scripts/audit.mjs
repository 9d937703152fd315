import { readFileSync } from 'node:fs'
import { npm } from './lib/child.mjs'
import { inRoot, root } from './lib/paths.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { isSupportedElectron, packageFacts, packagesBelow, severeAmong } from './lib/shipped.mjs'

/** Packages that are only for working on Sluice: none of their code ships. */
const FOR_WORK =
  /^(@20minutes\/s3rver|@electron\/.*|@eslint\/.*|@smithy\/signature-v4|@types\/.*|dependency-cruiser|electron-.*|eslint.*|fast-check|fast-xml-parser|knip|playwright-core|prettier|typescript.*|vite|vitest|yauzl)$/
const LIMIT_MS = 30_000

/**
 * Fails if package.json asks for an Electron without security updates, or if a severe advisory concerns what ships.
 * With `--required`, which a release uses, it also fails if the registry answers no audit.
 */
await main(async (args) => {
  const { dependencies, devDependencies } = packageFacts()
  if (!isSupportedElectron(devDependencies.electron))
    throw new Failure('package.json requires an Electron older than its own minimum.')
  const roots = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !FOR_WORK.test(name))
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const { stdout } = await npm(['audit', '--json'], { cwd: root, limitMs: LIMIT_MS })
  const severe = severeAmong(parsed(stdout), packagesBelow(lock, roots))
  if (severe === null && args.includes('--required')) throw new Failure('The registry does not answer audit requests.')
  if (severe === null) return say('Skipped: advisories, because the registry does not answer audit requests.')
  if (severe.length > 0) throw new Failure(`Advisories for shipped packages:\n${severe.join('\n')}`)
})

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
