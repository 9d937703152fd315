import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { npm } from './child.mjs'
import { withLock } from './lock.mjs'
import { cacheFolder, inRoot, root } from './paths.mjs'
import { Failure, step } from './say.mjs'

/** Installs the locked packages unless exactly those are there. */
export async function ensureDependencies() {
  if (installed()) return
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 12)
  await withLock(join(cacheFolder(), `install-${checkout}.lock`), async () => {
    if (installed()) return
    const { code, output } = await step('Installing packages', () => npm(['ci', '--loglevel=error']))
    if (code !== 0) throw new Failure(`npm ci failed:\n${output.split('\n', 25).join('\n')}`)
  })
}

/** npm leaves a lock file of what it installed; it is written last, so an interrupted install has none. */
function installed() {
  const wanted = packagesOf(inRoot('package-lock.json'))
  const found = packagesOf(inRoot('node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(
    ([folder, { version, optional }]) =>
      folder === '' || (found[folder] ? found[folder].version === version : optional),
  )
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return {}
  }
}
