import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CHINESE } from '../../../shared/language/chinese.ts'

const require = createRequire(import.meta.url)
const INTER = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const JETBRAINS = require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2')
const NOTO_PARTS = require.resolve('@fontsource-variable/noto-sans-sc/unicode.json')

/** A font that looks the same on every machine, or the part of one that has some characters. */
export interface SteadyFont {
  readonly family: 'steady' | 'steady code' | 'steady Chinese'
  readonly path: string
  /** As CSS `unicode-range` has it. */
  readonly characters: string
}

const ALL = 'U+0-10ffff'

/** What every text of the window can be drawn in. */
export async function steadyFonts(): Promise<readonly SteadyFont[]> {
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
