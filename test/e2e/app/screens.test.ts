import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect, it, vi } from 'vitest'
import { languageOf, MIRRORED } from '../../../shared/language/languages.ts'
import { mirroredText } from '../../../shared/language/mirror.ts'
import { openWorld, type BrowserWorld } from '../../support/window/browser-world.ts'
import { steady, steadyShot } from '../../support/pictures/steady.ts'
import { tour } from '../../support/window/tour.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const KEPT = join(ROOT, 'docs', 'screens')
const SEEN = join(ROOT, 'out', 'screens')
/** Whether the pictures are to be kept, as `npm run screens` wants it, instead of compared. */
const KEEP = process.env['SLUICE_SCREENS'] === 'keep'
const NOW = new Date('2026-03-14T09:41:00Z')

/** Share of a picture's pixels that may differ: how a machine draws the edge of a letter is not our doing. */
const DRAWN_OTHERWISE = 0.002

/** Of these views, pictures are kept in Chinese and mirrored, too. */
const IN_OTHER_LANGUAGES = new Set([
  'queue',
  'queue, 640 by 480',
  'row of every state',
  'failed row and inspector',
  'queue at 200 %',
  'settings, General',
  'settings, Bandwidth',
  'settings, Network',
  'new place',
  'services',
  'links',
  'upload',
  'browser',
  'browser, 640 by 480',
  'Copy link…',
  'Delete…',
  'unfinished uploads',
])

/** What the window is to be drawn in. */
const LOOKS = [
  { look: 'dark', colorScheme: 'dark', language: 'en' },
  { look: 'light', colorScheme: 'light', language: 'en' },
  { look: 'zh-cn', colorScheme: 'light', language: 'zh-CN' },
  // The language of the system, here.
  { look: 'mirrored', colorScheme: 'light', language: 'system' },
] as const

const fileName = (view: string, look: string): string =>
  `${view
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}-${look}.png`

/** Share of the pixels that differ from the picture that is kept: 1 where there is none, or one of another size. */
async function differenceFrom(name: string, shot: Buffer): Promise<number> {
  const kept = await readFile(join(KEPT, name)).catch(() => null)
  if (kept === null) return 1
  // Most pictures are the same to the byte: to unpack and compare them takes longer than to take them.
  if (kept.equals(shot)) return 0
  const [before, after] = [PNG.sync.read(kept), PNG.sync.read(shot)]
  const { width, height } = after
  if (before.width !== width || before.height !== height) return 1
  const difference = new PNG({ width, height })
  const pixels = pixelmatch(before.data, after.data, difference.data, width, height)
  if (pixels > 0) await writeFile(join(SEEN, `difference-${name}`), PNG.sync.write(difference))
  return pixels / (width * height)
}

/** Draws the window in the language, and all that is asked for anew when it is drawn. */
async function speak({ page }: BrowserWorld, language: (typeof LOOKS)[number]['language']): Promise<void> {
  await page.evaluate((chosen) => window.sluice.invoke('settings:set', { language: chosen }), language)
  const spoken = languageOf(language === 'system' ? MIRRORED : language)
  await page.locator(`html[lang="${spoken.tag}"]`).waitFor({ state: 'attached' })
  for (const key of ['browser.preview.loading', 'transfer.row.asking'] as const) {
    const text = spoken.tag === MIRRORED ? mirroredText(spoken.messages[key]) : spoken.messages[key]
    await page.locator('aside').getByText(text).waitFor({ state: 'detached' })
  }
}

it(
  'looks as the pictures show it that are kept of every view, light, dark, in Chinese and mirrored',
  { timeout: 600_000 },
  async () => {
    process.env['TZ'] = 'UTC'
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    const world = await openWorld({ environment: { SLUICE_LANGUAGE: 'ar-XB' } })
    await speak(world, 'en')
    await steady(world, NOW)
    if (KEEP) await rm(KEPT, { recursive: true, force: true })
    await mkdir(KEEP ? KEPT : SEEN, { recursive: true })
    const changed: string[] = []
    await tour(world, async (view) => {
      for (const { look, colorScheme, language } of LOOKS) {
        if (language !== 'en' && !IN_OTHER_LANGUAGES.has(view)) continue
        await speak(world, language)
        await world.page.emulateMedia({ colorScheme })
        const name = fileName(view, look)
        const shot = await steadyShot(world)
        await writeFile(join(KEEP ? KEPT : SEEN, name), shot)
        if (!KEEP && (await differenceFrom(name, shot)) > DRAWN_OTHERWISE) changed.push(name)
      }
      await speak(world, 'en')
    })
    vi.useRealTimers()
    expect(changed, '`npm run screens` keeps these pictures, if they are right').toEqual([])
  },
)
