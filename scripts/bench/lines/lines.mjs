import { resolve } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ensureCompiled } from '../../lib/compile.mjs'
import { inRoot } from '../../lib/paths.mjs'
import { Failure, say } from '../../lib/say.mjs'
import { LINE_CLIENTS } from './clients.mjs'
import { whyNoKernelLine } from './namespaces.mjs'
import { PROFILES } from './profiles.mjs'
import { lineOf } from './report.mjs'
import { LINE_SCENARIOS, runOnLine } from './scenarios.mjs'
import { createLinesWorld } from './world.mjs'

const several = { type: 'string', multiple: true }
const OPTIONS = {
  only: several,
  kind: several,
  direction: several,
  client: several,
  scenario: several,
  size: { type: 'string' },
  at: several,
  sluice: { type: 'string' },
  results: { type: 'string' },
}

/**
 * `npm run bench -- lines [--only <profile>]… [--kind kernel|buffers]… [--direction up|down]… [--client <name>]…
 * [--scenario whole|kill|pause|folder]… [--size <MiB>] [--at <seconds>]… [--sluice <another checkout's out/cli.js>]
 * [--results <file.json>]`. `--at`: when a kill or a pause comes, half of the ideal time where it is left out; several: one
 * after the other.
 */
export async function lines(args) {
  const { values } = parseArgs({ args, options: OPTIONS })
  const profiles = chosen('profile', values.only, PROFILES)
  const kinds = chosen('kind', values.kind, named('kernel', 'buffers')).map(({ name }) => name)
  const ways = chosen('direction', values.direction, named('up', 'down')).map(({ name }) => name)
  const clients = chosen('client', values.client ?? ['sluice'], LINE_CLIENTS)
  const scenarios = chosen('scenario', values.scenario ?? ['whole'], named(...Object.keys(LINE_SCENARIOS)))
  if (values.sluice === undefined) await ensureCompiled()
  const cli = resolve(values.sluice ?? inRoot('out', 'cli.js'))
  const noKernel = kinds.includes('kernel') ? await whyNoKernelLine() : null
  if (noKernel !== null) say(`Skipped: lines of the kind kernel, ${noKernel}.`)
  const world = await createLinesWorld()
  const results = []
  const leave = () => void world.close().finally(() => process.exit(130))
  process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    for (const profile of profiles) {
      for (const kind of kinds.filter((each) => each !== 'kernel' || noKernel === null)) {
        for (const way of ways) {
          for (const { name: scenario } of scenarios) {
            for (const client of clients) {
              const sizeMiB = Number(values.size ?? profile[`${way}MiB`])
              const at = values.at?.map(Number)
              const result = await runOnLine(world, { profile, kind, way, scenario, client, sizeMiB, at, cli })
              results.push(result)
              process.stdout.write(`${lineOf(result)}\n`)
              if (values.results) await writeFile(values.results, JSON.stringify(results))
            }
          }
        }
      }
    }
  } finally {
    await world.close()
  }
  return 0
}

function named(...names) {
  return names.map((name) => ({ name }))
}

function chosen(what, names, all) {
  const unknown = names?.find((name) => !all.some((each) => each.name === name))
  if (unknown !== undefined) {
    throw new Failure(`There is no ${what} ${unknown}: ${all.map(({ name }) => name).join(', ')}.`)
  }
  return all.filter(({ name }) => names === undefined || names.includes(name))
}
