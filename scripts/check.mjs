import { availableParallelism } from 'node:os'
import { inRoot } from './lib/paths.mjs'
import { capture, tool } from './lib/child.mjs'
import { ensureDependencies } from './lib/dependencies.mjs'
import { main, say } from './lib/say.mjs'

const typesAndLint = (folder) => [
  `types and lint: ${folder}`,
  () => [inRoot('scripts', 'lib', 'lint', 'types-and-lint.mjs'), folder],
]

/** The checks, slowest first, so that two at a time keep two cores busy. */
const CHECKS = [
  typesAndLint('test'),
  typesAndLint('renderer'),
  typesAndLint('electron'),
  ['format', () => [tool('prettier'), '--check', '.', '--cache', '--log-level=warn']],
  ['types: electron, of the fallback', () => [inRoot('scripts', 'lib', 'electron', 'electron-types.mjs')]],
  [
    'layers',
    () => [tool('dependency-cruiser', 'depcruise'), 'shared', 'electron', 'renderer', 'test', '--output-type=err'],
  ],
  typesAndLint('shared'),
  ['dead code', () => [tool('knip')]],
  ['lint: scripts', () => [tool('eslint'), 'scripts', '*.js', '*.mjs', '--max-warnings=0']],
  ['code only for tests', () => [tool('knip'), '--production']],
  ['advisories', () => [inRoot('scripts', 'audit.mjs')]],
]

/** `npm run check`: format, types, lint, layers, advisories and dead code. Prints what each found, and a summary. */
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
