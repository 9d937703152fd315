import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { run, tool } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { withDisplay } from './lib/display.mjs'
import { ensureElectron } from './lib/electron/electron.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { ensureElectronLibraries } from './lib/electron/system-libraries.mjs'

const OPTIONS = {
  minutes: { type: 'string', default: '30' },
  seed: { type: 'string' },
}

/**
 * `npm run soak [-- --minutes <n>] [--seed <n>]`: two apps and three command lines on the same files, and everything
 * that goes wrong with a network, a disk, a clock and a process, for so long (test/soak). A seed gives the same files
 * and faults again; what they meet depends on the machine. Ends with 0 if nothing was lost, left over or grew.
 */
await main(async (args) => {
  const { values } = parseArgs({ args, options: OPTIONS })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? randomInt(2 ** 31))]
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Failure('--minutes and --seed take numbers.')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureElectronLibraries(electron.executable)
  await ensureCompiled()
  say(`Soaking for ${minutes} minutes; the same again: npm run soak -- --minutes ${minutes} --seed ${seed}`)
  return withDisplay((display) =>
    run(process.execPath, [tool('vitest'), 'run', '--project', 'soak', '--disable-console-intercept'], {
      env: {
        ...display,
        ELECTRON_OVERRIDE_DIST_PATH: electron.folder,
        SLUICE_SOAK_MINUTES: String(minutes),
        SLUICE_SOAK_SEED: String(seed),
      },
    }),
  )
})
