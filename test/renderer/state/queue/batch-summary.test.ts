import { expect, it } from 'vitest'
import { Batches, type BatchSummary } from '../../../../renderer/state/queue/batch-summary.ts'
import type { TransferStatus } from '../../../../shared/transfer/transfer.ts'
import { makeRow } from '../../rows.ts'

function following() {
  let nowMs = 2000
  let adding = { beganAtMs: -Infinity, endedAtMs: -Infinity }
  const told: BatchSummary[] = []
  const numbers: number[] = []
  const batches = new Batches(
    1000,
    () => adding,
    (summary, number) => {
      told.push(summary)
      numbers.push(number)
    },
  )
  const rows = (ids: readonly string[], changes = {}) =>
    ids.map((id) => makeRow({ id, status: 'queued', createdAtMs: nowMs, ...changes }))
  return {
    told,
    numbers,
    wait: (ms: number) => (nowMs += ms),
    beginAdding: () => (adding = { beganAtMs: nowMs, endedAtMs: Infinity }),
    endAdding: () => (adding = { ...adding, endedAtMs: nowMs }),
    add: (ids: readonly string[], changes = {}) => batches.follow({ added: rows(ids, changes), removed: [] }),
    remove: (...removed: readonly string[]) => batches.follow({ added: [], removed }),
    end: (id: string, to: TransferStatus) => batches.changed([{ id, to }]),
  }
}

it('tells of a batch once, when all of it has ended', () => {
  const { told, add, end } = following()
  add(['a', 'b', 'c'])
  add(['d'], { direction: 'download' })
  end('a', 'completed')
  end('b', 'failed')
  end('c', 'completed')
  expect(told).toEqual([])
  end('d', 'completed')
  expect(told).toEqual([{ uploaded: ['a', 'c'], downloaded: ['d'], failed: ['b'] }])
  // It was tried again.
  end('b', 'completed')
  expect(told.length).toBe(1)
})

it('keeps batches apart, and says nothing of single rows and of rows of an earlier window', () => {
  const { told, add, end, wait } = following()
  add(['a'])
  wait(1000)
  add(['b', 'c'])
  add(['old 1', 'old 2'], { createdAtMs: 0 })
  for (const id of ['a', 'old 1', 'old 2', 'b']) end(id, 'completed')
  expect(told).toEqual([])
  end('c', 'completed')
  expect(told).toEqual([{ uploaded: ['b', 'c'], downloaded: [], failed: [] }])
})

it('takes all that is made while something adds rows for one batch, however late it comes', () => {
  const { told, add, end, wait, beginAdding, endAdding } = following()
  add(['before'])
  wait(1000)
  beginAdding()
  wait(1000)
  add(['a'])
  end('a', 'completed')
  wait(1000)
  const createdAtMs = 5000
  wait(1000)
  endAdding()
  wait(1000)
  add(['b'], { createdAtMs })
  add(['after'])
  for (const id of ['before', 'after', 'b']) end(id, 'completed')
  expect(told).toEqual([{ uploaded: ['a', 'b'], downloaded: [], failed: [] }])
})

it('does not wait for what was taken off the list', () => {
  const { told, add, end, remove } = following()
  add(['a', 'b', 'c'])
  end('a', 'completed')
  end('b', 'failed')
  remove('c')
  expect(told).toEqual([{ uploaded: ['a'], downloaded: [], failed: ['b'] }])
})

it('counts a row that failed and went on for what it came to, and not at all once it is off the list', () => {
  const { told, add, end, remove } = following()
  add(['a', 'b', 'c', 'd', 'e'])
  for (const id of ['a', 'b', 'c']) end(id, 'failed')
  for (const id of ['a', 'b']) end(id, 'transferring')
  end('a', 'completed')
  remove('c', 'd')
  end('e', 'completed')
  expect(told).toEqual([])
  end('b', 'completed')
  expect(told).toEqual([{ uploaded: ['a', 'e', 'b'], downloaded: [], failed: [] }])
})

it('tells once of what has ended by the time it comes, and not again when it is put back on the list', () => {
  const { told, add, remove, wait } = following()
  add(['a', 'b', 'c'], { status: 'completed' })
  expect(told).toEqual([{ uploaded: ['a', 'b', 'c'], downloaded: [], failed: [] }])
  wait(1000)
  remove('a', 'b', 'c')
  add(['a', 'b', 'c'], { status: 'completed' })
  expect(told.length).toBe(1)
})

it('tells of a batch that grew after its end by the same number, and of another one by another', () => {
  const { told, numbers, add, end, wait } = following()
  add(['a', 'b'])
  for (const id of ['a', 'b']) end(id, 'completed')
  add(['c'])
  end('c', 'completed')
  wait(1000)
  add(['d', 'e'])
  for (const id of ['d', 'e']) end(id, 'completed')
  expect(told.map(({ uploaded }) => uploaded.length)).toEqual([2, 3, 2])
  expect(numbers).toEqual([1, 1, 2])
})
