import { writeSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { withDisplays } from './lib/display.mjs'
import { ensureElectron } from './lib/electron/electron.mjs'
import { desktopForTests } from './packages/desktop.mjs'
import { makePackagesForTests, packForRelease } from './packages/installers.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { ensureElectronLibraries } from './lib/electron/system-libraries.mjs'
import { addTallies, closingLine, tallyOf } from './lib/tally.mjs'
import { windowsNode } from './wine/windows-node.mjs'

const SWITCHES = ['--package', '--quick', '--wine']

/** A quick run skips what vitest.config.js names, and simulates only 100 worlds of each simulation. */
const QUICK = { SLUICE_QUICK: '1', SLUICE_SEEDS: '100' }

/**
 * `npm test [-- <vitest filters>]`: runs the unit and integration tests. In parallel, because all of them wait half of
 * the time, it runs those against third-party S3 servers (skipped if unavailable), and those that drive the real app,
 * two windows at a time if each has a virtual screen. The output of these two is printed once everything has ended.
 * `--package` adds the tests of the installers and of the app as packed for a release; `--wine` those of the command
 * line on Windows' own Node, in Wine (skipped if unavailable). `npm run test:quick`: only quick unit tests and few
 * simulated worlds. The last line counts all tests, from the runner's own reports.
 */
await main(async (args) => {
  const filters = args.filter((arg) => !SWITCHES.includes(arg))
  await ensureDependencies()
  if (args.includes('--quick')) return close([await runSuite('unit*', filters, { ...process.env, ...QUICK })])
  const electron = await ensureElectron()
  await ensureElectronLibraries(electron.executable)
  await ensureCompiled()
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: electron.folder }
  const wine = args.includes('--wine') ? { ...env, ...(await windowsNode()) } : null
  const tallies = []
  await withDisplays(Math.min(2, availableParallelism()), async (displays) => {
    const onScreen =
      displays.length === 0 ? env : { ...env, DISPLAY: displays[0], SLUICE_TEST_DISPLAYS: displays.join(' ') }
    const servers = [['s3', env], ...(wine === null ? [] : [['wine', wine]])]
    const groups = [[['unit*', env]], servers, [['e2e', onScreen]]]
    tallies.push(...(filters.length > 0 ? [await runSome(groups.flat(), filters)] : await runTogether(groups)))
    if (!args.includes('--package')) return
    const packages = JSON.stringify(await makePackagesForTests(electron))
    const desktop = await desktopForTests()
    tallies.push(await runSuite('package', filters, { ...onScreen, ...desktop, SLUICE_PACKAGES: packages }))
    const packed = process.platform === 'linux' ? { SLUICE_PACKED: await packForRelease(electron) } : {}
    tallies.push(await runSuite('security', filters, { ...onScreen, ...packed }))
  })
  return close(tallies)
})

/** Prints the failures and the closing line. @returns the exit status */
function close(tallies) {
  const total = addTallies(tallies)
  for (const failure of total.failures) say(`\n✗ ${failure}`)
  process.stdout.write(`\n${closingLine(total)}\n`)
  if (total.passed + total.failed === 0) throw new Failure('No test was run, because nothing matches.')
  return total.failed === 0 ? 0 : 1
}

/** Runs suites one after another. @returns their tallies */
async function runAll(suites, log) {
  const tallies = []
  for (const [project, env] of suites) tallies.push(await runSuite(project, [], env, log))
  return tallies
}

/** Runs the tests that match the filters together, whatever their suite. @returns the tally */
function runSome(suites, filters) {
  const env = Object.assign({}, ...suites.map(([, each]) => each))
  return runProjects(
    suites.map(([project]) => project),
    filters,
    env,
  )
}

/** Runs groups of suites in parallel. Prints the output of all but the first after all ended. @returns the tallies */
async function runTogether([heard, ...others]) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-log-'))
  const paths = others.map((_, index) => join(folder, `${index}`))
  const logs = await Promise.all(paths.map((path) => open(path, 'a')))
  try {
    const written = others.map((suites, index) => runAll(suites, logs[index].fd))
    const tallies = await Promise.all([runAll(heard), ...written])
    for (const path of paths) process.stdout.write(await readFile(path, 'utf8'))
    return tallies.flat()
  } finally {
    await Promise.all(logs.map((log) => log.close()))
    await rm(folder, { recursive: true })
  }
}

/** `log`: the descriptor of the file that takes the output. */
async function runSuite(project, filters, env, log) {
  const title = `\n── ${project.replace('*', '')} tests`
  if (log === undefined) say(title)
  else writeSync(log, `${title}\n`)
  return runProjects([project], filters, env, log)
}

async function runProjects(projects, filters, env, log) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-report-'))
  const reportFile = join(folder, 'report.json')
  const chosen = projects.flatMap((project) => ['--project', project])
  const options = [...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  // The closing line will say that nothing was run.
  const none = filters.length > 0 ? ['--passWithNoTests'] : []
  const code = await run(process.execPath, [tool('vitest'), 'run', ...options, ...none, ...filters], {
    env,
    stdio: ['ignore', log ?? 'inherit', log ?? 'inherit'],
  })
  const report = await readFile(reportFile, 'utf8').then(JSON.parse, () => undefined)
  await rm(folder, { recursive: true })
  return tallyOf(report, code)
}
