import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { capture, run as runProgram, tool } from '../../lib/child.mjs'
import { ensureCompiled } from '../../lib/compile.mjs'
import { inRoot } from '../../lib/paths.mjs'
import { Failure, say } from '../../lib/say.mjs'
import { findVersions } from '../clients/clients.mjs'
import { LINE_CLIENTS, otherSluice } from './clients.mjs'
import { whyNoKernelLine } from './line/namespaces.mjs'
import { runBeside } from './neighbor.mjs'
import { earlierResults, keepResults } from '../report/kept-results.mjs'
import { factsOf } from './report/facts.mjs'
import { targetsTable, writePage } from './report/page.mjs'
import { minutesOf, planOf } from './plan.mjs'
import { PROFILES } from './line/profiles.mjs'
import { createRandom } from './random.mjs'
import { lineOf } from './report/report.mjs'
import { LINE_SCENARIOS, runOnLine } from './scenarios.mjs'
import { createLinesWorld } from './world.mjs'

const several = { type: 'string', multiple: true }
const OPTIONS = {
  only: several,
  kind: several,
  direction: several,
  client: several,
  scenario: several,
  service: { type: 'string', default: 'demo' },
  size: { type: 'string' },
  at: several,
  times: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  quick: { type: 'boolean', default: false },
  against: { type: 'string' },
  results: { type: 'string' },
  write: { type: 'boolean', default: false },
  page: several,
  plan: { type: 'boolean', default: false },
  pictures: { type: 'boolean', default: false },
}

/**
 * `npm run bench -- lines [--only <profile>]… [--kind kernel|buffers]… [--direction up|down]… [--client <name>]…
 * [--scenario whole|kill|pause|folder|neighbor]… [--quick] [--plan] [--write]`: transfers on lines that people have.
 * An option that is left out means everything. `--quick`: Sluice with small files, in ten minutes; `--plan` prints what
 * would be run and how long it takes. `--size <MiB>`; `--times`: how many kills or pauses of a kind, at random moments
 * that follow from `--seed`, or after `--at <seconds>`, several one after another; `--service demo|s3`: what Sluice
 * talks to (peers use whatever they can); `--against <commit>`: also measures that commit of Sluice. `--results
 * <file.json>` keeps all samples, replacing those in the file run by run; `--write` puts everything in it into
 * docs/bench-lines.md and docs/lines; `--page <file.json>…` does the same for several files and measures nothing.
 * `--pictures` only shows the window on 8 Mbit/s, and keeps pictures of its row in docs/lines.
 */
export async function lines(args) {
  const { values } = parseArgs({ args, options: OPTIONS })
  if (values.pictures) return await pictures()
  if (values.page !== undefined) {
    await page((await Promise.all(values.page.map(earlierResults))).flat())
    return 0
  }
  const choices = await choicesOf(values)
  const ofOther = (other) => ({ ...choices, clients: [...choices.clients, otherSluice(other)] })
  if (values.plan)
    return showPlan(planOf(values.against === undefined ? choices : ofOther({ name: `sluice ${values.against}` })))
  await ensureCompiled()
  const results = values.results === undefined ? [] : await earlierResults(values.results)
  const world = await createLinesWorld(values.against)
  const leave = () => void world.close().finally(() => process.exit(130))
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    const { runs } = planOf(world.other === null ? choices : ofOther(world.other))
    say(estimateOf(runs))
    for (const run of runs) {
      const measureRun = LINE_SCENARIOS[run.scenario].isBeside ? runBeside : runOnLine
      const moment = { startedAt: new Date().toISOString(), load: loadavg()[0] }
      const measured = await measureRun(world, { ...run, cli: inRoot('out', 'cli.js') })
      const result = { ...measured, ...moment, repeat: run.repeat }
      const earlier = results.findIndex((other) => nameOf(other) === nameOf(result) && other.repeat === result.repeat)
      results.splice(earlier < 0 ? results.length : earlier, 1, result)
      process.stdout.write(`${lineOf(result)}\n`)
      if (values.results !== undefined) await keepResults(values.results, results)
    }
  } finally {
    await world.close()
  }
  process.stdout.write(`\n${targetsTable(results)}\n`)
  if (values.write) await page(results)
  return 0
}

async function page(results) {
  const path = await writePage(inRoot('docs'), results, factsOf(results, await findVersions()))
  await capture(process.execPath, [tool('prettier'), '--write', path])
}

function showPlan({ runs, absent }) {
  say(estimateOf(runs))
  for (const run of runs) process.stdout.write(`${nameOf(run)}, ${run.sizeMiB} MiB\n`)
  for (const each of absent) process.stdout.write(`${nameOf(each)}: skipped, ${each.why}\n`)
  return 0
}

function estimateOf(runs) {
  return `${runs.length} runs, about ${Math.ceil(minutesOf(runs))} minutes if nothing is lost.`
}

async function pictures() {
  const test = 'test/e2e/queue/line-pictures.test.ts'
  const env = { ...process.env, SLUICE_LINE_PICTURES: inRoot('docs', 'lines') }
  return await runProgram(process.execPath, [inRoot('scripts', 'test.mjs'), test], { env })
}

async function choicesOf(values) {
  const kinds = chosen('kind', values.kind, named('kernel', 'buffers')).map(({ name }) => name)
  const noKernel = kinds.includes('kernel') ? await whyNoKernelLine() : null
  if (noKernel !== null) say(`Skipped: lines shaped by the kernel (${noKernel}).`)
  const clients = chosen('client', values.client ?? (values.quick ? ['sluice'] : undefined), LINE_CLIENTS)
  const versions = await findVersions()
  for (const { name } of clients.filter((client) => versions.get(client.name) === null)) {
    say(`Skipped: ${name}, which is not installed.`)
  }
  return {
    profiles: chosen('profile', values.only, PROFILES),
    kinds: kinds.filter((kind) => kind !== 'kernel' || noKernel === null),
    ways: chosen('direction', values.direction, named('up', 'down')).map(({ name }) => name),
    scenarios: chosen('scenario', values.scenario, named(...Object.keys(LINE_SCENARIOS))).map(({ name }) => name),
    clients: clients.filter((client) => versions.get(client.name) !== null),
    service: chosen('service', [values.service], named('demo', 's3'))[0].name,
    sizeMiB: values.size === undefined ? null : Number(values.size),
    at: values.at?.map(Number) ?? null,
    times: Number(values.times),
    isQuick: values.quick,
    random: createRandom(Number(values.seed)),
  }
}

function nameOf({ profile, kind, way, scenario, client }) {
  return [profile.name ?? profile, kind, way, scenario, client.name ?? client].join(' ')
}

function named(...names) {
  return names.map((name) => ({ name }))
}

function chosen(what, names, all) {
  const unknown = names?.find((name) => !all.some((each) => each.name === name))
  if (unknown !== undefined) {
    throw new Failure(`There is no ${what} ${unknown}. Choose from ${all.map(({ name }) => name).join(', ')}.`)
  }
  return all.filter(({ name }) => names === undefined || names.includes(name))
}
