import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { saveReport } from '../../../electron/shell/desk/save-report.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

afterEach(() => setLanguage(languageOf('en')))

let asked: readonly string[] = []

function sourcesFor(folder: string, path: string) {
  return {
    version: '1.2.3',
    facts: () => [],
    state: () => ({ settings: DEFAULT_SETTINGS, places: [], rows: [] }),
    log: { path: join(folder, 'sluice.log'), flush: () => Promise.resolve() },
    chooseTarget: (...words: readonly string[]) => {
      asked = words
      return Promise.resolve(path)
    },
  }
}

it('asks in the language of the window where the report is to go, and writes it there', async () => {
  const folder = await tempDir()
  const path = join(folder, 'report.txt')
  setLanguage(languageOf('zh-CN'))
  expect(await saveReport(sourcesFor(folder, path), false)).toBe(path)
  expect(asked).toEqual([expect.stringContaining('报告'), '保存报告'])
  expect(await readFile(path, 'utf8')).toContain('1.2.3')
})

it('says where a report can’t be written', async () => {
  const folder = await tempDir()
  const path = join(folder, 'gone', 'report.txt')
  const failure = await saveReport(sourcesFor(folder, path), false).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'RequestError', message: `Can’t write ${path} (ENOENT).` })
})
