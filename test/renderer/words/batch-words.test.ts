import { afterEach, expect, it } from 'vitest'
import { batchWords } from '../../../renderer/words/batch-words.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { makeRow } from '../rows.ts'

afterEach(() => setLanguage(languageOf('en')))

const done = [
  makeRow({ id: 'a', confirmedBytes: 1_000_000, activeMs: 4000, finishedAtMs: 10_000 }),
  makeRow({ id: 'b', confirmedBytes: 500_000, activeMs: 2000, finishedAtMs: 18_000 }),
]

it('sums a batch up: how many, how much, and how long from the first to the last', () => {
  expect(plain(batchWords({ uploaded: 2, downloaded: 0, failed: 0 }, done))).toBe('2 uploaded · 1.50 MB in 12 s')
  const mixed = { uploaded: 1200, downloaded: 1, failed: 1 }
  expect(plain(batchWords(mixed, done))).toBe('1,200 uploaded · 1 downloaded · 1 failed · 1.50 MB in 12 s')
})

it('tells no amount where nothing was done, or is listed any more', () => {
  expect(plain(batchWords({ uploaded: 0, downloaded: 0, failed: 3 }, []))).toBe('3 failed')
  expect(plain(batchWords({ uploaded: 3, downloaded: 0, failed: 0 }, []))).toBe('3 uploaded')
})

it('speaks the language of the window', () => {
  setLanguage(languageOf('zh-CN'))
  const words = plain(batchWords({ uploaded: 2, downloaded: 0, failed: 1 }, done))
  expect(words).toBe('已上传 2 个 · 1 个失败 · 1.50 MB，用时 12 秒')
})

/** Without what keeps values apart in lines of both directions. */
function plain(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, '')
}
