import { expect, it } from 'vitest'
import { createNotices } from '../../electron/services/notices.ts'

it('tells together what happened before there was a window, which shows one notice at a time', () => {
  const notices = createNotices()
  notices.tell('The list was damaged.')
  notices.tell('The demo store can’t open.')
  const told: string[] = []
  notices.follow((text) => told.push(text))
  expect(told).toEqual(['The list was damaged. The demo store can’t open.'])
  notices.tell('It was started again.')
  expect(told.slice(1)).toEqual(['It was started again.'])
})

it('tells nothing where nothing happened', () => {
  const told: string[] = []
  createNotices().follow((text) => told.push(text))
  expect(told).toEqual([])
})
