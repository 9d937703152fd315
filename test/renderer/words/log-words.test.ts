import { afterEach, expect, test } from 'vitest'
import { describeLogEntry } from '../../../renderer/words/log-words.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import { MILESTONES } from '../../../shared/transfer/milestones.ts'

afterEach(() => setLanguage(languageOf('en')))

test('the course of a transfer is said in the language of the window, technical detail as it was noted', () => {
  const detail = 'Part 3: the connection was reset; sending it again'
  // What is kept and what English says are the same words.
  for (const text of Object.values(MILESTONES)) expect(describeLogEntry(text)).toBe(text)
  setLanguage(languageOf('zh-CN'))
  for (const text of Object.values(MILESTONES)) expect(describeLogEntry(text)).toMatch(/^[\p{sc=Han}：，]+$/u)
  expect(describeLogEntry(MILESTONES['demo-store-back'])).toBe('已继续：演示存储已恢复')
  expect(describeLogEntry(detail)).toBe(detail)
})

test('a history that version 0.1.0 kept is said in the words of today', () => {
  expect(describeLogEntry('Went on: its place was edited')).toBe('Continued: its place was edited')
})
