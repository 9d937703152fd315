import { expect, test } from 'vitest'
import { createAnnouncer } from '../../../renderer/app/announcer.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import type { StatusChange } from '../../../renderer/state/queue/apply-delta.ts'

const change = (name: string, to: StatusChange['to']): StatusChange => ({ id: name, name, from: 'transferring', to })

function rig() {
  const said: string[] = []
  const timers: (() => void)[] = []
  const announce = createAnnouncer({ say: (text) => said.push(text), later: (callback) => timers.push(callback) })
  return { said, announce, fiveSecondsLater: () => timers.shift()?.() }
}

test('the first is said at once, the following ones are gathered into one sentence', () => {
  const { said, announce, fiveSecondsLater } = rig()
  announce([change('a.mov', 'completed')])
  announce([change('b.mov', 'completed'), change('c.mov', 'completed')])
  announce([change('d.mov', 'failed')])
  expect(said).toEqual(['a.mov finished.'])
  fiveSecondsLater()
  expect(said.slice(1)).toEqual(['d.mov needs you. 2 transfers finished: b.mov and others.'])
})

test('puts sentences as the language does', () => {
  setLanguage(languageOf('zh-CN'))
  const { said, announce } = rig()
  announce([change('a.mov', 'completed'), change('b.mov', 'failed')])
  setLanguage(languageOf('en'))
  expect(said).toEqual(['b.mov 需要处理。a.mov 已完成。'])
})

test('after a quiet time the next one is said at once again', () => {
  const { said, announce, fiveSecondsLater } = rig()
  announce([change('a.mov', 'completed')])
  fiveSecondsLater()
  announce([change('b.mov', 'failed')])
  expect(said).toEqual(['a.mov finished.', 'b.mov needs you.'])
})

test('starting, pausing and retrying are not announced', () => {
  const { said, announce } = rig()
  announce([change('a.mov', 'paused'), change('b.mov', 'waiting'), change('c.mov', 'transferring')])
  expect(said).toEqual([])
})
