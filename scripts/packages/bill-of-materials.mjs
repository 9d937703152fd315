import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { ensureElectron } from '../lib/electron/electron.mjs'
import { inRoot } from '../lib/paths.mjs'
import { Failure, main, say } from '../lib/say.mjs'
import { packageFacts } from '../lib/shipped.mjs'
import { librariesOfRuntime } from './app-image/runtime.mjs'
import { billOfMaterials, integritiesOf } from './third-party.mjs'

/** After `npm run dist`, writes dist/sluice-<version>-<system>.cdx.json, which lists everything in the installers. */
await main(async () => {
  const list = inRoot('out', 'third-party.json')
  if (!existsSync(list)) throw new Failure('Nothing has been built yet: run npm run dist first.')
  const { version } = packageFacts()
  const bill = billOfMaterials({
    version,
    // Only an AppImage contains a program that is linked here.
    linked: process.platform === 'linux' ? await librariesOfRuntime() : [],
    packages: JSON.parse(readFileSync(list, 'utf8')),
    integrities: integritiesOf(JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))),
    electronVersion: (await ensureElectron()).version,
    madeAt: new Date(),
  })
  const file = inRoot('dist', `sluice-${version}-${process.platform}-${process.arch}.cdx.json`)
  await mkdir(inRoot('dist'), { recursive: true })
  await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`)
  say(file)
})
