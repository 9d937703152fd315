import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openWorld } from '../../support/window/browser-world.ts'
import { spoken } from '../../support/window/spoken.ts'
import { steady, steadyShot } from '../../support/pictures/steady.ts'
import { tour } from '../../support/window/tour.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const KEPT = join(ROOT, 'docs', 'screen-reader.md')
const NOW = new Date('2026-03-14T09:41:00Z')

/** Views of the tour that show what people do most. */
const FLOWS: ReadonlyMap<string, string> = new Map([
  ['empty queue', 'Start for the first time'],
  ['queue', 'Follow transfers, and the parts of one'],
  ['failed row and inspector', 'See why one stopped, and go on'],
  ['menu of a row', 'Act on one'],
  ['new place', 'Add a place'],
  ['download', 'Download from a place'],
  ['links', 'Download from links'],
  ['upload', 'Upload a folder'],
  ['browser', 'Look into a place'],
  ['Delete…', 'Delete a file'],
])

const HEAD = `# What a screen reader says

Chromium’s accessibility tree in the ten main flows, read from a real window: a line for each element that is said, with its
role, name and state, indented by what it is in. \`npm run screens\` writes it anew, and \`npm test\` fails when it differs.
`

it('tells screen readers what it is listed to tell them, in the main flows', { timeout: 600_000 }, async () => {
  process.env['TZ'] = 'UTC'
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  const world = await openWorld()
  await steady(world, NOW)
  const told = new Map<string, readonly string[]>()
  await tour(world, async (view) => {
    const flow = FLOWS.get(view)
    if (flow === undefined) return
    // Words that differ from run to run are others after a picture.
    await steadyShot(world)
    told.set(flow, await spoken(world.page))
  })
  vi.useRealTimers()
  const flows = [...told].map(([flow, lines]) => `## ${flow}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`)
  const text = [HEAD, ...flows].join('\n')
  if (process.env['SLUICE_SCREENS'] === 'keep') await writeFile(KEPT, text)
  expect(text, '`npm run screens` writes it anew, if it is right').toBe(await readFile(KEPT, 'utf8'))
})
