import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect, it, vi } from 'vitest'
import { openWorld } from '../../support/window/browser-world.ts'
import { steady, steadyShot } from '../../support/window/steady.ts'
import { tour } from '../../support/window/tour.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const KEPT = join(ROOT, 'docs', 'screens')
const SEEN = join(ROOT, 'out', 'screens')
/** Whether the pictures are to be kept, as `npm run screens` wants it, instead of compared. */
const KEEP = process.env['SLUICE_SCREENS'] === 'keep'
const NOW = new Date('2026-03-14T09:41:00Z')

/** Share of a picture's pixels that may differ: how a machine draws the edge of a letter is not our doing. */
const DRAWN_OTHERWISE = 0.002

const fileName = (view: string, look: string): string =>
  `${view
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}-${look}.png`

/** Share of the pixels that differ from the picture that is kept: 1 where there is none, or one of another size. */
async function differenceFrom(name: string, shot: Buffer): Promise<number> {
  const kept = await readFile(join(KEPT, name)).catch(() => null)
  if (kept === null) return 1
  const [before, after] = [PNG.sync.read(kept), PNG.sync.read(shot)]
  const { width, height } = after
  if (before.width !== width || before.height !== height) return 1
  const difference = new PNG({ width, height })
  const pixels = pixelmatch(before.data, after.data, difference.data, width, height)
  if (pixels > 0) await writeFile(join(SEEN, `difference-${name}`), PNG.sync.write(difference))
  return pixels / (width * height)
}

it('looks as the pictures show it that are kept of every view, light and dark', { timeout: 600_000 }, async () => {
  process.env['TZ'] = 'UTC'
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  const world = await openWorld()
  await steady(world, NOW)
  if (KEEP) await rm(KEPT, { recursive: true, force: true })
  await mkdir(KEEP ? KEPT : SEEN, { recursive: true })
  const changed: string[] = []
  await tour(world, async (view) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await world.page.emulateMedia({ colorScheme })
      const name = fileName(view, colorScheme)
      const shot = await steadyShot(world)
      await writeFile(join(KEEP ? KEPT : SEEN, name), shot)
      if (!KEEP && (await differenceFrom(name, shot)) > DRAWN_OTHERWISE) changed.push(name)
    }
  })
  vi.useRealTimers()
  expect(changed, '`npm run screens` keeps these pictures, if they are right').toEqual([])
})
