import { expect, it } from 'vitest'
import { limitEmptyPages } from '../../../electron/engine/retry/endless-pages.ts'

it('lets very many empty pages pass, and as many again after an entry, but not without end', () => {
  const pass = limitEmptyPages('ListObjects')
  const passEmpty = (count: number) => {
    for (let page = 0; page < count; page += 1) pass(0, 'r-7')
  }
  passEmpty(99_999)
  pass(1, null)
  passEmpty(99_999)
  expect(() => pass(0, 'r-7')).toThrow('The pages of ListObjects never end')
})

it('never ends a listing of full pages', () => {
  const pass = limitEmptyPages('ListObjects')
  for (let page = 0; page < 300_000; page += 1) pass(1000, null)
})
