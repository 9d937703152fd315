import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { CHINESE } from '../../../shared/language/chinese.ts'

const require = createRequire(import.meta.url)
const INTER = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const JETBRAINS = require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2')
const NOTO_PARTS = require.resolve('@fontsource-variable/noto-sans-sc/unicode.json')

/** A font that looks the same on every machine, or the part of one that has some characters. */
interface SteadyFont {
  readonly family: 'steady' | 'steady code' | 'steady Chinese'
  readonly path: string
  /** As CSS `unicode-range` has it. */
  readonly characters: string
}

const ALL = 'U+0-10ffff'

/** Draws the window in fonts that look the same on every machine, until it is loaded anew. */
export async function showSteadyFonts(page: Page): Promise<void> {
  for (const { family, path, characters } of await steadyFonts()) {
    await page.evaluate(
      async ([name, base64, unicodeRange]) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        document.fonts.add(await new FontFace(name, bytes, { weight: '100 900', unicodeRange }).load())
      },
      [family, (await readFile(path)).toString('base64'), characters] as const,
    )
  }
  // The tokens of `renderer/styles/tokens.css`.
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--font', "'steady', 'steady Chinese'")
    document.documentElement.style.setProperty('--mono', "'steady code', 'steady', 'steady Chinese'")
  })
}

/** What every text of the window can be drawn in. */
async function steadyFonts(): Promise<readonly SteadyFont[]> {
  return [
    { family: 'steady', path: INTER, characters: ALL },
    {
      family: 'steady code',
      path: JETBRAINS,
      characters: ALL,
    },
    ...(await chineseFonts()),
  ]
}

/** The font has a hundred parts: those that have a character of our texts. */
async function chineseFonts(): Promise<readonly SteadyFont[]> {
  const parts = JSON.parse(await readFile(NOTO_PARTS, 'utf8')) as Record<string, string>
  const needed = [...new Set(Object.values(CHINESE).join(''))].flatMap((character) => character.codePointAt(0) ?? [])
  return Object.entries(parts)
    .filter(
      ([name, characters]) => name !== 'latin' && needed.some((code) => code > 0x2000 && isWithin(code, characters)),
    )
    .map(([name, characters]) => ({
      family: 'steady Chinese',
      path: join(dirname(NOTO_PARTS), 'files', `noto-sans-sc-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
      characters,
    }))
}

function isWithin(code: number, characters: string): boolean {
  return characters.split(',').some((range) => {
    const [first = '', last = first] = range.slice('U+'.length).split('-')
    return code >= parseInt(first, 16) && code <= parseInt(last, 16)
  })
}
