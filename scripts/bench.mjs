import { writeFile } from 'node:fs/promises'
import { cpus, totalmem, type as systemName, release } from 'node:os'
import { parseArgs } from 'node:util'
import { lines } from './bench/lines/lines.mjs'
import { runScenario } from './bench/run-scenario.mjs'
import { FULL_SIZE_MIB, SCENARIOS } from './bench/scenarios.mjs'
import { section, targets, toMarkdown } from './bench/table.mjs'
import { createWorld } from './bench/world.mjs'
import { capture, tool } from './lib/child.mjs'
import { ensureCompiled } from './lib/compile.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { inRoot } from './lib/paths.mjs'
import { Failure, main, say } from './lib/say.mjs'

const OPTIONS = {
  only: { type: 'string', multiple: true },
  size: { type: 'string', default: String(FULL_SIZE_MIB) },
  rounds: { type: 'string', default: '3' },
  write: { type: 'boolean', default: false },
}

/**
 * `npm run bench [-- --only <scenario>]… [--size <MiB>] [--rounds <n>] [--write]`: Sluice beside the peers that are
 * installed. Prints Markdown, each scenario when it is done; `--write` puts it all into docs/bench.md. `--size` is that
 * of the biggest file, everything else shrinks with it. TMPDIR says on which disk.
 */
await main(async (args) => {
  if (args[0] === 'lines') return lines(args.slice(1))
  const { values } = parseArgs({ args, options: OPTIONS })
  const options = { sizeMiB: Number(values.size), rounds: Number(values.rounds) }
  if (!(options.sizeMiB >= 1 && options.rounds >= 1)) throw new Failure('--size and --rounds are numbers from 1 on.')
  const unknown = values.only?.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    throw new Failure(`There is no scenario ${unknown}: ${SCENARIOS.map(({ name }) => name).join(', ')}.`)
  }
  await ensureDependencies()
  await ensureCompiled()
  const world = await createWorld()
  let isLeaving = false
  const leave = () => {
    isLeaving = true
    void world.close().finally(() => process.exit(130))
  }
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    const results = []
    for (const scenario of SCENARIOS) {
      if (values.only && !values.only.includes(scenario.name)) continue
      say(`\n── ${scenario.name}: ${scenario.title}`)
      const result = await runScenario(world, scenario, options)
      results.push(result)
      process.stdout.write(`${section(result)}\n\n`)
    }
    process.stdout.write(`${targets(results)}\n`)
    if (values.write) await writePage(toMarkdown(results, factsOf(world, options)))
  } catch (error) {
    // What is under way when the folder goes fails, of course.
    if (!isLeaving) throw error
  } finally {
    await world.close()
  }
})

async function writePage(markdown) {
  const path = inRoot('docs', 'bench.md')
  await writeFile(path, markdown)
  await capture(process.execPath, [tool('prettier'), '--write', path])
}

function factsOf({ versions, server, timer }, { rounds }) {
  const tools = [...versions.entries()].map(([program, version]) =>
    program === process.execPath ? `Node ${version}` : (version ?? `${program}: not installed`),
  )
  const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${systemName()} ${release()}`
  return [
    `\`npm run bench -- --write\` wrote this page. Machine: ${machine}; everything on it over loopback, server: ${server.software}.`,
    `${tools.join('; ')}.`,
    `Medians of ${rounds} rounds (of two in the middle the lower) in which the clients take turns; ratios within one run count, absolute figures are this machine’s.`,
    'Each file that arrived had the SHA-256 of its source. Sluice gets no options; the peers get those that make them fast.',
    'Sluice alone waits for the disk (fdatasync) before it says that it is done.',
    ...(timer === null ? ['CPU time and memory need GNU time, which is missing.'] : []),
  ].join('\n')
}
