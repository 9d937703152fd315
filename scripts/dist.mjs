import { compile } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { ensureElectron } from './lib/electron/electron.mjs'
import { makeInstallers } from './packages/installers.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { isSupportedElectron } from './lib/shipped.mjs'

/**
 * `npm run dist`: makes this platform's installers in dist/; on Linux, `-- --deb` makes only the .deb.
 */
await main(async (args) => {
  await ensureDependencies()
  const electron = await ensureElectron()
  if (!isSupportedElectron(electron.version) && !args.includes('--allow-old-electron'))
    throw new Failure(
      `Electron ${electron.version} no longer gets security updates. To make installers anyway: npm run dist -- --allow-old-electron`,
    )
  await compile()
  const files = await makeInstallers(electron, args.includes('--deb') ? ['deb'] : undefined)
  say(`\nMade with Electron ${electron.version}:\n${files.map((file) => `  ${file}`).join('\n')}`)
})
