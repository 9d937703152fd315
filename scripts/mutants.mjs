import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './lib/child.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { inRoot } from './lib/paths.mjs'
import { Failure, main, say, step } from './lib/say.mjs'
import { MUTANTS } from './mutants/list.mjs'

const SOURCES = [
  'electron',
  'renderer',
  'shared',
  'test',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.js',
]
/** Some mutants only show in an unlucky simulated world; most are found within this many. */
const ENVIRONMENT = { SLUICE_SEEDS: '300' }

/**
 * `npm run mutants [-- <name>…]`: breaks a copy of the engine in one place at a time, and runs the tests that should
 * notice. Ends with 1 if a mutant survives, or no longer applies.
 */
await main(async (names) => {
  const unknown = names.filter((name) => !MUTANTS.some((mutant) => mutant.name === name))
  if (unknown.length > 0) throw new Failure(`There is no mutant ${unknown.join(', ')}.`)
  const chosen = names.length === 0 ? MUTANTS : MUTANTS.filter(({ name }) => names.includes(name))
  await ensureDependencies()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-mutants-'))
  try {
    for (const source of SOURCES) await cp(inRoot(source), join(folder, source), { recursive: true })
    await symlink(inRoot('node_modules'), join(folder, 'node_modules'), 'junction')
    await step('Running all of their tests without a mutant', () => requireGreen(folder, chosen))
    const survivors = []
    for (const mutant of chosen) if (!(await isKilled(folder, mutant))) survivors.push(mutant.name)
    say(`${chosen.length - survivors.length} killed, ${survivors.length} survived`)
    return survivors.length === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function requireGreen(folder, mutants) {
  const tests = new Set(mutants.flatMap((mutant) => mutant.tests))
  const { isGreen, first } = await runTests(folder, [...tests])
  if (!isGreen) throw new Failure(`These tests fail without any mutant: ${first}`)
}

async function isKilled(folder, { name, file, from, to, tests }) {
  const path = join(folder, file)
  const source = await readFile(path, 'utf8')
  await writeFile(
    path,
    source.replace(from, () => to),
  )
  try {
    const { isGreen, first } = await runTests(folder, tests)
    say(isGreen ? `SURVIVED  ${name}` : `killed    ${name}: ${first}`)
    return !isGreen
  } finally {
    await writeFile(path, source)
  }
}

/**
 * Runs tests; `first` is the name of the first that failed. Throws Failure if nothing ran, because a mutant that can't
 * be loaded proves nothing.
 */
async function runTests(folder, tests) {
  const report = join(folder, 'report.json')
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [
    vitest,
    'run',
    '--project',
    'unit*',
    '--bail',
    '1',
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...tests,
  ]
  const { output } = await capture(process.execPath, args, { cwd: folder, env: { ...process.env, ...ENVIRONMENT } })
  const results = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'))
  await rm(report, { force: true })
  if (!(results.numTotalTests > 0)) throw new Failure(`No test ran:\n${output.slice(-2000)}`)
  const failed = results.testResults.flatMap((each) => each.assertionResults).find(({ status }) => status === 'failed')
  if (failed === undefined && results.success !== true)
    throw new Failure(`A test file failed outside its tests:\n${output.slice(-2000)}`)
  return { isGreen: failed === undefined, first: failed?.fullName }
}
