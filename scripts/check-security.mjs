import { run, tool } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { ensureElectron } from './lib/electron/electron.mjs'
import { main, say } from './lib/say.mjs'
import { ensureElectronLibraries } from './lib/electron/system-libraries.mjs'
import { packForRelease } from './packages/installers.mjs'

/**
 * `npm run check:security`: tests how the app is hardened, in its sources, and on Linux also in the app as packed for a
 * release. docs/security.md has a line for each test. `npm test` tests what a page in a window may do
 * (test/e2e/app/security.test.ts).
 */
await main(async () => {
  await ensureDependencies()
  await ensureCompiled()
  const env = { ...process.env }
  if (process.platform === 'linux') {
    const electron = await ensureElectron()
    await ensureElectronLibraries(electron.executable)
    env.SLUICE_PACKED = await packForRelease(electron)
  } else say('Skipped: the packaged app, which is tested only on Linux.')
  const vitest = [tool('vitest'), 'run', '--project', 'security', '--project', 'unit*']
  return run(process.execPath, [...vitest, 'test/security', 'test/shell/hardening', 'test/shell/debugging'], { env })
})
