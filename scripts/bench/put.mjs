import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inRoot } from '../lib/paths.mjs'
import { say } from '../lib/say.mjs'
import { measure } from './measure.mjs'

const CLI = inRoot('out', 'cli.js')

/** Uploads of one big file to the demo store: curl's single PUT beside Sluice's parts. */
export async function measurePut(world, { sizeBytes }, rounds) {
  const source = await world.source(sizeBytes)
  const scratch = await world.scratch()
  const store = await startStore(join(scratch.path, 'store'))
  const env = { SLUICE_ENDPOINT: store.endpoint, SLUICE_BUCKET: 'demo', SLUICE_STATE_DIR: join(scratch.path, 'state') }
  const rows = [
    { name: 'sluice', isOurs: true, argv: (key) => [process.execPath, CLI, 'put', source.localPath, key] },
    { name: 'curl', argv: (key) => ['curl', '-fsS', '-T', source.localPath, `${store.endpoint}/demo/${key}`] },
  ].filter(({ name }) => name === 'sluice' || world.versions.get(name) !== null)
  const results = rows.map(({ name, isOurs }) => ({ name, isOurs, label: name, runs: [] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { name, argv }] of rows.entries()) {
      const key = `${name}-${round}`
      const run = await measure(world.timer, { argv: argv(key), env }, join(scratch.path, 'time'), 120)
      results[index].runs.push({ ...run, failure: run.status === 0 ? null : `ended with ${run.status}` })
      say(`put ${round + 1}/${rounds}  ${name}: ${run.seconds.toFixed(2)} s`)
      await fetch(`${store.endpoint}/demo/${key}`, { method: 'DELETE' })
    }
  }
  await store.close()
  await scratch.remove()
  return { rows: results, absent: [] }
}

async function startStore(directory) {
  const child = spawn(process.execPath, [CLI, 'serve', '--dir', directory, '--anonymous', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    endpoint: JSON.parse(line).endpoint,
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
