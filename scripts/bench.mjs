import { writeFile } from 'node:fs/promises'
import { cpus, totalmem, type as systemName, release } from 'node:os'
import { parseArgs } from 'node:util'
import { lines } from './bench/lines/lines.mjs'
import { earlierResults, keepResults } from './bench/report/kept-results.mjs'
import { runPlot } from './bench/report/run-plot.mjs'
import { runScenario } from './bench/run-scenario.mjs'
import { FULL_SIZE_MIB, SCENARIOS } from './bench/scenarios.mjs'
import { section, targets, toMarkdown } from './bench/report/table.mjs'
import { createWorld } from './bench/world.mjs'
import { capture, tool } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { inRoot } from './lib/paths.mjs'
import { Failure, main, Misuse, say } from './lib/say.mjs'

const OPTIONS = {
  only: { type: 'string', multiple: true },
  size: { type: 'string', default: String(FULL_SIZE_MIB) },
  rounds: { type: 'string', default: '5' },
  against: { type: 'string' },
  results: { type: 'string' },
  write: { type: 'boolean', default: false },
}

/** Scenarios that only measure this checkout, because they don't run a command line that another commit has as well. */
const OF_THIS_CHECKOUT = new Set(['loop', 'hashing', 'upload-memory', 'long-queue'])

const IN_ROUNDS = new Set(['file', 'many', 'upload', 'upload-many'])

/**
 * `npm run bench [-- --only <scenario>]… [--size <MiB>] [--rounds <n>] [--against <commit>] [--results <file.json>]
 * [--write]`: compares Sluice with the installed peers, or with `--against` with an earlier commit of itself. Prints
 * Markdown, each scenario when it is done. `--results` keeps the results; a later command with the same file replaces
 * the scenarios that it measures again. `--write` puts everything into docs/bench.md, and each run as a dot into
 * docs/bench.svg. `--size` is that of the biggest file; everything else shrinks with it. TMPDIR chooses the disk.
 */
await main(async (args) => {
  if (args[0] === 'lines') return lines(args.slice(1))
  const values = valuesOf(args)
  const options = { sizeMiB: Number(values.size), rounds: Number(values.rounds) }
  if (!(options.sizeMiB >= 1 && options.rounds >= 1)) throw new Failure('--size and --rounds must be at least 1.')
  if (values.write && values.against !== undefined) throw new Failure('--write can’t be used with --against.')
  await ensureDependencies()
  await ensureCompiled()
  const world = await createWorld(values.against)
  let isLeaving = false
  const leave = () => {
    isLeaving = true
    void world.close().finally(() => process.exit(130))
  }
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    let results = values.results === undefined ? [] : await earlierResults(values.results)
    for (const scenario of SCENARIOS) {
      if (values.only && !values.only.includes(scenario.name)) continue
      if (world.isAgainstItself && OF_THIS_CHECKOUT.has(scenario.kind)) continue
      say(`\n── ${scenario.name}: ${scenario.title}`)
      const result = await runScenario(world, scenario, options)
      results = inOrder([...results.filter((other) => other.scenario.name !== scenario.name), result])
      if (values.results !== undefined) await keepResults(values.results, results)
      process.stdout.write(`${section(result)}\n\n`)
    }
    if (!world.isAgainstItself) process.stdout.write(`${targets(results)}\n`)
    if (values.write) await writePage(results, factsOf(world, results))
  } catch (error) {
    // Whatever is under way when the folder is removed is bound to fail.
    if (!isLeaving) throw error
  } finally {
    await world.close()
  }
})

/** How many rounds Sluice ran in the scenarios that are measured in rounds. */
function roundsOf(results) {
  const inRounds = results.filter(({ scenario }) => IN_ROUNDS.has(scenario.kind))
  const counts = inRounds.flatMap(({ rows }) => rows.filter(({ isOurs }) => isOurs).map(({ runs }) => runs.length))
  if (counts.length === 0) return 'no'
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most ? String(most) : `${least} to ${most}`
}

function inOrder(results) {
  return SCENARIOS.flatMap(({ name }) => results.filter(({ scenario }) => scenario.name === name))
}

function valuesOf(args) {
  const names = SCENARIOS.map(({ name }) => name)
  const misuse = (what) => new Misuse(`${what} Name what to measure with --only: ${names.join(', ')}.`)
  const { values, positionals } = parsed(args, misuse)
  const unknown = positionals[0] ?? values.only?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw misuse(`There is no scenario named "${unknown}".`)
  return values
}

function parsed(args, misuse) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw misuse(`${error.message.split('. ')[0]}.`)
  }
}

async function writePage(results, facts) {
  const path = inRoot('docs', 'bench.md')
  await writeFile(inRoot('docs', 'bench.svg'), runPlot(results))
  await writeFile(path, toMarkdown(results, facts))
  await capture(process.execPath, [tool('prettier'), '--write', path])
}

function factsOf({ versions, server, timer }, results) {
  const tools = [...versions.entries()].map(([program, version]) =>
    program === process.execPath ? `Node ${version}` : (version ?? `${program}: not installed`),
  )
  const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${systemName()} ${release()}`
  return [
    `\`npm run bench -- --write\` wrote this page. Machine: ${machine}; everything runs on it over loopback; server: ${server.software}.`,
    `${tools.join('; ')}.`,
    `Medians of ${roundsOf(results)} rounds in which the clients take turns (the lower of two middle values), with the minimum and maximum. CPU time is the client’s alone. Only ratios within one run are meaningful; absolute figures depend on this machine.`,
    'Sluice counts as taking less or more than another client if chance alone would produce such a difference in fewer than one of 20 benchmarks (Mann–Whitney test); otherwise there is no difference.',
    'Every file that arrived had the SHA-256 of its source. Sluice runs without options; the peers run with the options that make them fast.',
    'Only Sluice waits for the disk (fdatasync) before it reports that it is done.',
    ...(timer === null ? ['CPU time and memory were not measured, because GNU time is not installed.'] : []),
  ].join('\n')
}
