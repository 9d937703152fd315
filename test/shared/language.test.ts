import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { afterEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { CHINESE } from '../../shared/language/chinese.ts'
import { ENGLISH, type MessageKey } from '../../shared/language/english.ts'
import { bestLanguage, languageOf, MIRRORED } from '../../shared/language/languages.ts'
import { joined } from '../../shared/language/joined.ts'
import { localMoment, localNumber } from '../../shared/language/locale.ts'
import { sentences } from '../../shared/language/sentences.ts'
import { midSentence, rich, setLanguage, setSystem, t } from '../../shared/language/translate.ts'
import { visibleSentence } from '../../renderer/ui/overlays/visible-sentence.ts'
import { argumentsOf, texts, type Text } from '../support/tools/catalog.ts'

/** What is written the same in every language. */
const NAMES = /^(English|简体中文|\W*|(<strong>)?\{name\}.*|ETag|URL|CRC-32)$/

afterEach(() => setLanguage(languageOf('en')))

describe('the catalog', () => {
  const keys = Object.keys(ENGLISH) as MessageKey[]

  it('has every text in every language, with the same arguments', () => {
    expect(Object.keys(CHINESE)).toEqual(keys)
    for (const key of keys) expect([key, argumentsOf(CHINESE[key])]).toEqual([key, argumentsOf(ENGLISH[key])])
  })

  it('keeps each key in the file of its area', () => {
    for (const { language, area, key } of texts()) expect([language, key.split('.')[0]]).toEqual([language, area])
  })

  it('says what a button of a row says in one place, where a command or a common button says the same', () => {
    const ofRows = keys.filter((key) => /^(window\.row|transfer\.action)\./.test(key))
    const said = keys.filter((key) => /^(commands\.name|common)\./.test(key)).map((key) => ENGLISH[key])
    expect(ofRows.filter((key) => said.includes(ENGLISH[key]))).toEqual([])
  })

  it('has the plural forms that each language has', () => {
    for (const { language, key, text } of texts()) {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
      for (const forms of pluralsIn(parse(text))) {
        expect([key, forms.filter((form) => !form.startsWith('=')).toSorted()]).toEqual([key, needed])
      }
    }
  })

  it('writes numbers as the language does, and leaves none bare; what makes figures itself is given them', () => {
    const written = texts().filter(({ key }) => !key.startsWith('format.'))
    const named = (text: string, types: readonly TYPE[]) => typedIn(parse(text), types)
    const counted = new Set(['times', ...written.flatMap(({ text }) => named(text, [TYPE.plural, TYPE.number]))])
    const bare = written.filter(({ text }) => named(text, [TYPE.argument]).some((name) => counted.has(name)))
    expect(bare.map(({ language, key }) => [language, key])).toEqual([])
  })

  it('says nothing in English in another language', () => {
    const same = keys.filter((key) => ENGLISH[key] === CHINESE[key] && !NAMES.test(ENGLISH[key]))
    expect(same.filter((key) => /\p{L}/u.test(withoutArguments(ENGLISH[key])))).toEqual([])
  })

  it('has one word for saving in Chinese, which is not the one for storage', () => {
    const saves = keys.filter((key) => /\bsav(e|es|ed|ing)\b/i.test(ENGLISH[key]))
    expect(saves.length).toBeGreaterThan(10)
    expect(saves.filter((key) => /(?<!对象|演示)存储(?!桶|服务)/.test(CHINESE[key]))).toEqual([])
  })

  it('is written as each language writes', () => {
    const faulty = (text: Text): boolean => {
      const words = withoutArguments(text.text)
      if (text.language === 'en') return /[']|\.\.\.|\s$|^\s/.test(words)
      // A space stands between Chinese and Latin; signs are as wide as letters.
      return /[\p{sc=Han}][A-Za-z0-9]|[A-Za-z0-9][\p{sc=Han}]|[\p{sc=Han}][,;:!?()]|[,;!?()][\p{sc=Han}]/u.test(words)
    }
    expect(texts().filter(faulty)).toEqual([])
  })
})

test('a text is said in the language that is set, with its numbers and dates', () => {
  const atMs = new Date(2026, 10, 12, 21, 4).getTime()
  const say = () => [t('transfer.group.done'), t('transfer.row.files', { count: 1270 }), localMoment(atMs)]
  expect(say()).toEqual(['Done', '1,270 files', '12 Nov 2026, 21:04'])
  setLanguage(languageOf('zh-CN'))
  expect(say()).toEqual(['已完成', '1,270 个文件', '2026年11月12日 21:04'])
  expect(localNumber(1270)).toBe('1,270')
  expect([t('shell.quit.message', { count: 12_000 }), t('shell.tray.active', { count: 12_000 })]).toEqual([
    '要退出并暂停 12,000 个传输吗？重新打开 Sluice 后会继续。',
    '12,000 个进行中',
  ])
})

test('a thing is called as the system calls it', () => {
  onTestFinished(() => setSystem('linux'))
  const say = () => t('commands.name.reveal')
  expect(say()).toBe('Show in folder')
  setSystem('darwin')
  expect(say()).toBe('Show in Finder')
  setLanguage(languageOf('zh-CN'))
  expect(say()).toBe('在访达中显示')
  setSystem('win32')
  expect(say()).toBe('在文件资源管理器中显示')
})

test('a label inside another begins small, unless it is a name; in Chinese nothing does', () => {
  const labels = ['Path', 'Request ID', 'Upload ID', 'ETag', 'ID']
  expect(labels.map(midSentence)).toEqual(['path', 'request ID', 'upload ID', 'ETag', 'ID'])
  setLanguage(languageOf('zh-CN'))
  expect(midSentence('ETag')).toBe('ETag')
  expect(midSentence('Path')).toBe('Path')
})

test('a value that is missing is a fault', () => {
  expect(() => t('transfer.row.in-time')).toThrow(/size/)
})

test('what stands in a tag is made into something else', () => {
  const made = rich<{ bold: unknown }>(
    'uploads.earlier.subject',
    { strong: (bold) => ({ bold }) },
    { name: 'raw.mov', size: '', address: 'Studio / raw.mov' },
  )
  expect(made).toEqual([{ bold: ['raw.mov'] }, ' → Studio / raw.mov'])
})

test('mirrored English turns its words around, and not what they are filled with', () => {
  setLanguage(languageOf(MIRRORED))
  expect(t('transfer.group.done')).toBe('\u200f\u202eDoonee\u202c')
  expect(t('transfer.row.under-way', { amount: '1 of 2 GB' })).toBe(
    '\u20681 of 2 GB\u2069 \u200f\u202euundeer\u202c \u200f\u202ewaay\u202c',
  )
  expect(t('transfer.row.files', { count: 2 })).toBe('2 \u200f\u202efiilees\u202c')
})

test.each([
  [['zh-CN', 'en-US'], 'zh-CN'],
  [['zh-Hans-SG'], 'zh-CN'],
  [['zh'], 'zh-CN'],
  [['zh-TW', 'en-GB'], 'en'],
  [['zh-Hant-HK', 'zh-Hans'], 'zh-CN'],
  [['de-DE', 'zh-CN'], 'zh-CN'],
  [['de-DE'], 'en'],
  [['C', 'not a tag!'], 'en'],
  [[], 'en'],
] as const)('of %j a person is given %s', (preferred, tag) => {
  expect(bestLanguage(preferred)).toBe(tag)
})

function pluralsIn(elements: readonly MessageFormatElement[]): readonly (readonly string[])[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    const inside = Object.values(element.options).flatMap(({ value }) => pluralsIn(value))
    return element.type === TYPE.plural ? [Object.keys(element.options), ...inside] : inside
  })
}

/** The names of what a message is filled with in one of these ways. */
function typedIn(elements: readonly MessageFormatElement[], types: readonly TYPE[]): readonly string[] {
  return elements.flatMap((element) => {
    const own = types.includes(element.type) && element.type !== TYPE.pound ? [element.value] : []
    if (element.type === TYPE.tag) return typedIn(element.children, types)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return own
    return [...own, ...Object.values(element.options).flatMap(({ value }) => typedIn(value, types))]
  })
}

/** The words alone. */
function withoutArguments(text: string): string {
  const words = (elements: readonly MessageFormatElement[]): string =>
    elements
      .map((element) => {
        if (element.type === TYPE.literal) return element.value
        if (element.type === TYPE.tag) return words(element.children)
        if (element.type !== TYPE.plural && element.type !== TYPE.select) return ''
        return Object.values(element.options)
          .map(({ value }) => words(value))
          .join('\n')
      })
      .join('\u00a0')
  return words(parse(text)).trim()
}

test('keeps names of the other direction apart from the words and figures beside them', () => {
  expect(t('commands.upload.continuing', { name: 'film.mov' })).not.toContain('\u2068')
  expect(t('commands.upload.continuing', { name: 'تقرير' })).toContain('\u2068تقرير\u2069')
  expect(joined('ספר', '', '3 MB')).toBe('\u2068ספר\u2069 · 3 MB')
  setLanguage(languageOf(MIRRORED))
  expect(t('commands.upload.continuing', { name: 'film 2.mov' })).toContain('\u2068film 2.mov\u2069')
  expect(joined('1 h', '48.2 MB/s')).toBe('\u20681 h\u2069 · \u206848.2 MB/s\u2069')
})

test('writes out what hides in a sentence, not what keeps its names apart', () => {
  expect(visibleSentence('\u2068تقرير\u2069 is there: a\u202eb')).toBe('\u2068تقرير\u2069 is there: a‛u202eb')
  expect(visibleSentence('\u2068a\u202eb\u2069\u2069')).toBe('\u2068a‛u202eb\u2069‛u2069')
  expect(visibleSentence('\u2068\u2067a\u2069')).toBe('‛u2068‛u2067a‛u2069')
  // A sentence beside another is an isolate, and so is the name in it.
  const told = sentences([t('services.upload.listed', { name: 'تقرير' }), t('commands.say.more', { count: 2 })])
  expect(visibleSentence(told)).not.toContain('‛')
})
