import { run } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { developmentSwitches, requireDisplay } from './lib/display.mjs'
import { ensureElectron } from './lib/electron/electron.mjs'
import { root } from './lib/paths.mjs'
import { main } from './lib/say.mjs'
import { ensureElectronLibraries } from './lib/electron/system-libraries.mjs'

/** `npm start`: takes a bare checkout to an open window. */
await main(async (args) => {
  requireDisplay()
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureElectronLibraries(electron.executable)
  await ensureCompiled()
  return run(electron.executable, [...developmentSwitches(electron.folder), root, ...args])
})
