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
 * `npm run soak [-- --minutes <n>] [--seed <n>]`: for that long, runs two apps and three command lines on the same
 * files while everything goes wrong that can with a network, a disk, a clock and a process (test/soak). A seed repeats
 * the same files and faults, but their timing depends on the machine. Exits with 0 if nothing was lost or left over
 * and nothing grew.
 */
await main(async (args) => {
  const { values } = parseArgs({ args, options: OPTIONS })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? randomInt(2 ** 31))]
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Failure('--minutes and --seed must be numbers.')
  await ensureDependencies()
  const electron = await ensureElectron()
  await ensureElectronLibraries(electron.executable)
  await ensureCompiled()
  say(`Soaking for ${minutes} minutes. To repeat: npm run soak -- --minutes ${minutes} --seed ${seed}`)
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
