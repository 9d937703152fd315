import { compile } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { ensureElectron, githubAnswers } from './lib/electron.mjs'
import { makeDeb, makeInstallers } from './lib/installers.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { isSupportedElectron } from './lib/shipped.mjs'

/**
 * `npm run dist`: installers of this platform in dist/; `-- --deb` makes the .deb alone, with Debian's own programs.
 */
await main(async (args) => {
  await ensureDependencies()
  const electron = await ensureElectron()
  if (!isSupportedElectron(electron.version) && !args.includes('--allow-old-electron'))
    throw new Failure(
      `Electron ${electron.version} gets no security updates any more. To try installers all the same: npm run dist -- --allow-old-electron`,
    )
  await compile()
  const files = await make(electron, args.includes('--deb'))
  say(`\nMade with Electron ${electron.version}:\n${files.map((file) => `  ${file}`).join('\n')}`)
})

async function make(electron, debOnly) {
  if (!debOnly && (await githubAnswers())) return makeInstallers(electron)
  if (process.platform !== 'linux')
    throw new Failure('electron-builder needs its tools from GitHub, which does not answer.')
  if (!debOnly) say('GitHub does not answer, so the AppImage and the rpm are left out: their tools come from there.')
  return [await makeDeb(electron)]
}
