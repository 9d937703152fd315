import { afterEach, expect, test } from 'vitest'
import { languageOf } from '../../shared/language/languages.ts'
import { setLanguage } from '../../shared/language/translate.ts'
import { rowName } from '../../shared/transfer/row-name.ts'

afterEach(() => setLanguage(languageOf('en')))

test('what was dropped together is called by the first of it and how many others, in each language', () => {
  expect(rowName({ name: 'IMG_01.jpg' })).toBe('IMG_01.jpg')
  expect(rowName({ name: 'IMG_01.jpg', others: 1269 })).toBe('IMG_01.jpg and 1,269 more')
  setLanguage(languageOf('zh-CN'))
  expect(rowName({ name: 'IMG_01.jpg', others: 4 })).toBe('IMG_01.jpg 和另外 4 项')
})

test('a name that turns the text around it is written out, and one from right to left keeps its figures apart', () => {
  expect(rowName({ name: 'a\u202etxt.exe' })).toBe('a‛u202etxt.exe')
  expect(rowName({ name: 'تقرير 2', others: 4 })).toBe('\u2068تقرير 2\u2069 and 4 more')
})
