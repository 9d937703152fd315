import { expect, it } from 'vitest'
import { middleCut } from '../../../renderer/ui/middle-cut.ts'

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const upTo = (most: number) => (text: string) => [...GRAPHEMES.segment(text)].length <= most

it('leaves a name whole that fits', () => {
  expect(middleCut('تقرير الأداء السنوي.pdf', upTo(40))).toBe('تقرير الأداء السنوي.pdf')
})

it('cuts in the middle, and keeps the extension', () => {
  expect(middleCut('a long name of a film.final.mov', upTo(16))).toBe('a long…inal.mov')
  expect(middleCut('no extension anywhere', upTo(10))).toBe('no ex…here')
})

it('never cuts inside of what is one character to a person', () => {
  const family = '👨‍👩‍👧‍👦'
  const cut = middleCut(`${family.repeat(12)}.mp4`, upTo(14))
  const characters = [...GRAPHEMES.segment(cut)].map(({ segment }) => segment)
  expect(new Set(characters)).toEqual(new Set([family, '…', '.', 'm', 'p', '4']))
})

it('keeps something of both ends however little fits', () => {
  expect(middleCut('abcdef.mov', () => false)).toBe('a…f.mov')
  expect(middleCut('ab', () => false)).toBe('a…b')
})
