import { expect, test } from 'vitest'
import { parseSources } from '../../../renderer/browser/parse-sources.ts'

test('links and keys are told apart, empty lines and repeats dropped', () => {
  const text =
    ' https://example.com/a.iso?sig=1 \n\nmedia/b +c.mov\nHTTP://example.com/d\nmedia/b +c.mov\r\nhttps//typo'
  expect(parseSources(text)).toEqual({
    urls: ['https://example.com/a.iso?sig=1', 'HTTP://example.com/d'],
    keys: ['media/b +c.mov', 'https//typo'],
  })
})
