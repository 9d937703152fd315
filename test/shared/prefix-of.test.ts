import { expect, test } from 'vitest'
import { prefixOf } from '../../shared/place/prefix-of.ts'

test.each(['', 'a/', '/backup/', 'a//', ' a/', '/', 'a /'])(
  'uploads go to the folder that is open, %j, as it is',
  (open) => {
    expect(prefixOf(open, null)).toBe(open)
  },
)

test.each([
  ['', ''],
  [' / ', ''],
  ['media/2026', 'media/2026/'],
  ['/media/2026//', 'media/2026/'],
])('a folder that is typed, %j, is meant as %j', (typed, prefix) => {
  expect(prefixOf('/backup/', typed)).toBe(prefix)
})
