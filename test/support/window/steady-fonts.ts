import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { CHINESE } from '../../../shared/language/chinese.ts'

const require = createRequire(import.meta.url)
const ofPackage = (name: string): string => require.resolve(`@fontsource-variable/${name}`)

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
    { family: 'steady', path: ofPackage('inter/files/inter-latin-wght-normal.woff2'), characters: ALL },
    {
      family: 'steady code',
      path: ofPackage('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
      characters: ALL,
    },
    ...(await chineseFonts()),
  ]
}

/** The font has a hundred parts: those that have a character of our texts. */
async function chineseFonts(): Promise<readonly SteadyFont[]> {
  const parts = JSON.parse(await readFile(ofPackage('noto-sans-sc/unicode.json'), 'utf8')) as Record<string, string>
  const needed = [...new Set(Object.values(CHINESE).join(''))].flatMap((character) => character.codePointAt(0) ?? [])
  return Object.entries(parts)
    .filter(
      ([name, characters]) => name !== 'latin' && needed.some((code) => code > 0x2000 && isWithin(code, characters)),
    )
    .map(([name, characters]) => ({
      family: 'steady Chinese',
      path: ofPackage(`noto-sans-sc/files/noto-sans-sc-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
      characters,
    }))
}

function isWithin(code: number, characters: string): boolean {
  return characters.split(',').some((range) => {
    const [first = '', last = first] = range.slice('U+'.length).split('-')
    return code >= parseInt(first, 16) && code <= parseInt(last, 16)
  })
}
