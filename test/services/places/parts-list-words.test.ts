import { afterEach, expect, test } from 'vitest'
import { problemOfParts, PartsListError, type PartsListFault } from '../../../electron/engine/index.ts'
import { partsListWords } from '../../../electron/services/places/parts-list-words.ts'
import { worded } from '../../../shared/language/message.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'

afterEach(() => setLanguage(languageOf('en')))

const MANY = Array.from({ length: 1200 }, (_, index) => index + 1)

const FAULTS: readonly PartsListFault[] = [
  { kind: 'not-json' },
  { kind: 'no-parts-list' },
  { kind: 'no-such-upload' },
  { kind: 'another-file' },
  { kind: 'unusable-entry', entry: 2, member: 'etag' },
  { kind: 'repeated-part', partNumber: 7 },
  ...(['not-there', 'differing', 'not-listed', 'left-out', 'too-small'] as const).flatMap((kind) => [
    { kind, partNumbers: [7] },
    { kind, partNumbers: [1, 2, 9] },
  ]),
]

test('what is wrong with a parts list is said as the command line says it', () => {
  for (const fault of FAULTS) expect(worded(partsListWords(fault))).toBe(new PartsListError(fault).message)
  expect(worded(partsListWords({ kind: 'not-there', partNumbers: MANY }))).toBe(
    'The server doesn’t have parts 1, 2, 3, 4, 5 and 1,195 more.',
  )
  expect(worded(partsListWords({ kind: 'too-small', partNumbers: [1, 2, 3, 4, 5, 6] }))).toBe(
    'The server takes no part as small as parts 1, 2, 3, 4, 5 and 1 more, except at the end.',
  )
})

test('and in the language of the window, whichever it was when the list was read', () => {
  const notListed = partsListWords({ kind: 'not-listed', partNumbers: [1, 2] })
  setLanguage(languageOf('zh-CN'))
  expect(worded(notListed)).toBe('列表缺少分段 1、2。')
  for (const fault of FAULTS) expect(worded(partsListWords(fault))).toMatch(/^\p{sc=Han}.*。$/u)
  expect(worded(partsListWords({ kind: 'not-there', partNumbers: MANY }))).toBe(
    '服务器上没有分段 1、2、3、4、5 和另外 1,195 个。',
  )
})

test('only the numbers of parts that are wrong are handed out', () => {
  const part = (partNumber: number, sizeBytes = 10) => ({ partNumber, etag: 'a', sizeBytes, lastModified: null })
  expect(problemOfParts([part(2), part(5)], [part(2), part(5)], 1)).toEqual({
    kind: 'not-listed',
    partNumbers: [1, 3, 4],
  })
  expect(problemOfParts([part(1)], [part(1), part(2)], 1)).toEqual({ kind: 'left-out', partNumbers: [2] })
  expect(problemOfParts([part(1), part(2)], [part(1), part(2)], 10)).toEqual({ kind: 'too-small', partNumbers: [1] })
  expect(problemOfParts([part(1, 11), part(2)], [part(1, 11), part(2)], 10)).toBeNull()
})
