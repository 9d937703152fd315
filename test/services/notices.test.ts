import { expect, it } from 'vitest'
import { createNotices } from '../../electron/services/notices.ts'
import { message } from '../../shared/language/message.ts'
import type { Refusal } from '../../shared/transfer/words/error-words.ts'

it('tells together what happened before there was a window, which shows one notice at a time', () => {
  const notices = createNotices()
  const damaged = message('transfer.damage.mended')
  const closed = message('services.start.demo-closed', { problem: 'full' })
  const again = message('services.demo.again')
  notices.tell(damaged)
  notices.tell(closed)
  const told: (readonly Refusal[])[] = []
  notices.follow((sentences) => told.push(sentences))
  expect(told).toEqual([[damaged, closed]])
  notices.tell(again)
  expect(told.slice(1)).toEqual([[again]])
})

it('tells nothing where nothing happened', () => {
  const told: (readonly Refusal[])[] = []
  createNotices().follow((sentences) => told.push(sentences))
  expect(told).toEqual([])
})
