import { availableParallelism } from 'node:os'
import { inRoot } from './lib/paths.mjs'
import { capture, tool } from './lib/child.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { main, say } from './lib/say.mjs'

const cached = (name) => inRoot('node_modules', '.cache', name)
const lint = (what, ...paths) => [`lint: ${what}`, () => [tool('eslint'), ...paths, '--max-warnings=0']]
const types = (folder) => [
  `types: ${folder}`,
  () => [
    tool('typescript', 'tsc'),
    '-p',
    folder,
    '--incremental',
    '--tsBuildInfoFile',
    cached(`${folder}.tsbuildinfo`),
  ],
]

/** The gate, slowest first so that two of them fill two cores. */
const CHECKS = [
  lint('sources', 'electron', 'renderer', 'scripts', 'shared', '*.js', '*.mjs'),
  lint('tests', 'test'),
  types('test'),
  types('electron'),
  ['types: electron, of the fallback', () => [inRoot('scripts', 'lib', 'electron', 'electron-types.mjs')]],
  types('renderer'),
  types('shared'),
  ['format', () => [tool('prettier'), '--check', '.', '--cache', '--log-level=warn']],
  [
    'layers',
    () => [tool('dependency-cruiser', 'depcruise'), 'shared', 'electron', 'renderer', 'test', '--output-type=err'],
  ],
  ['advisories', () => [inRoot('scripts', 'audit.mjs')]],
  ['dead code', () => [tool('knip')]],
  ['code only for tests', () => [tool('knip'), '--production']],
]

/** `npm run check`: format, types, lint, layers, advisories and dead code; prints what each found, and a summary. */
await main(async () => {
  await ensureDependencies()
  const startedMs = Date.now()
  const waiting = [...CHECKS]
  const failures = []
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) failures.push(...(await check(...next)))
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker))
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0)
  if (failures.length === 0) say(`\nAll ${CHECKS.length} checks passed in ${seconds} s.`)
  else say(`\n${failures.length} of ${CHECKS.length} checks failed in ${seconds} s: ${failures.join(', ')}.`)
  return failures.length === 0 ? 0 : 1
})

async function check(name, command) {
  const startedMs = Date.now()
  const { code, output } = await capture(process.execPath, command())
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
  const skipped = /^Skipped: (.*)$/m.exec(output)?.[1]
  if (code === 0) say(skipped === undefined ? `✓ ${name} (${seconds} s)` : `– skipped: ${skipped}`)
  else say(`✗ ${name} (${seconds} s)\n${output.trimEnd().replaceAll(/^/gm, '    ')}\n`)
  return code === 0 ? [] : [name]
}
