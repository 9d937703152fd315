import { withDisplay } from '../../lib/display.mjs'
import { ensureElectron } from '../../lib/electron/electron.mjs'
import { inRoot } from '../../lib/paths.mjs'

/** Loads a module of the app or of its tests, which Node alone can't load. */
export async function ofSources(...path) {
  const { runnerImport } = await import('vite')
  return (await runnerImport(inRoot(...path), { logLevel: 'error' })).module
}

/**
 * Runs `work` with an environment in which windows of the app can be opened. Resolves with the version of Electron that
 * ran them; null: there is none.
 */
export async function withWindows(work) {
  const electron = await ensureElectron().catch(() => null)
  if (electron === null) return null
  process.env.ELECTRON_OVERRIDE_DIST_PATH = electron.folder
  await withDisplay(async (env) => {
    Object.assign(process.env, env.DISPLAY ? { DISPLAY: env.DISPLAY } : {})
    await work()
  })
  return electron.version
}
