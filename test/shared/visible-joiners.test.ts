import { expect, it } from 'vitest'
import { visibleText } from '../../shared/visible-text.ts'

it('leaves joiners where a script or an emoji is written with them', () => {
  for (const text of ['👨‍👩‍👧‍👦.mp4', '🏳️‍🌈.png', '👩🏽‍💻.png', 'می‌خواهم.pdf', 'क्‍ष.txt']) expect(visibleText(text)).toBe(text)
})

it('writes out joiners that show nothing, and what turns the text around them', () => {
  expect(visibleText('pay\u200dpal.exe')).toBe('pay‛u200dpal.exe')
  expect(visibleText('\u200ca\u200d')).toBe('‛u200ca‛u200d')
  expect(visibleText('👨\u200d\u200d👩')).toBe('👨‛u200d‛u200d👩')
  expect(visibleText('a\u202egpj.exe')).toBe('a‛u202egpj.exe')
})
