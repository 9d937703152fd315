import { expect, it } from 'vitest'
import { createRowOrder, type Placement } from '../../../../renderer/state/queue/row-order.ts'
import { comparatorOf, nextSort } from '../../../../renderer/state/queue/sorting.ts'
import { groupOf, type TransferGroup } from '../../../../shared/transfer/transfer-group.ts'
import type { SortColumn } from '../../../../shared/transfer/queue-view.ts'
import type { TransferRow } from '../../../../shared/transfer/transfer.ts'
import { makeRow } from '../../rows.ts'

const placed = (row: TransferRow): Placement => ({ id: row.id, to: { row, group: groupOf(row.status) } })
const rowOf = (id: string, position: number, changes: Partial<TransferRow> = {}): TransferRow =>
  makeRow({ id, position, status: 'queued', ...changes })

it('keeps each group in queue order, and what is done by when, latest first', () => {
  const order = createRowOrder(comparatorOf(null))
  order.place([rowOf('b', 2), rowOf('a', 1), rowOf('p', 3, { status: 'paused' })].map(placed))
  order.place(['x', 'y'].map((id, at) => placed(rowOf(id, at, { status: 'completed', finishedAtMs: at }))))
  expect([order.ids('waiting'), order.ids('paused'), order.ids('done')]).toEqual([['a', 'b'], ['p'], ['y', 'x']])
  expect([order.groupOf('p'), order.indexOf('b'), order.indexOf('gone')]).toEqual(['paused', 1, -1])
})

it('moves a row that changes its group or position, and lets others be', () => {
  const order = createRowOrder(comparatorOf(null))
  order.place(['a', 'b', 'c'].map((id, at) => placed(rowOf(id, at))))
  const before = order.ids('waiting')
  expect(order.place([placed(rowOf('b', 1, { name: 'other' }))])).toBe(false)
  expect(order.ids('waiting')).toBe(before)
  expect(order.place([placed(rowOf('c', 0.5))])).toBe(true)
  expect(order.ids('waiting')).toEqual(['a', 'c', 'b'])
  order.place([placed(rowOf('a', 0, { status: 'transferring' })), { id: 'b', to: null }])
  expect([order.ids('active'), order.ids('waiting'), order.groupOf('b')]).toEqual([['a'], ['c'], null])
})

it('comes to the same one by one and all at once', () => {
  const rows = Array.from({ length: 500 }, (_, at) =>
    rowOf(String(at), (at * 7919) % 500, { status: at % 3 === 0 ? 'paused' : 'queued' }),
  )
  const [together, single] = [createRowOrder(comparatorOf(null)), createRowOrder(comparatorOf(null))]
  together.place(rows.map(placed))
  for (const row of rows) single.place([placed(row)])
  const moved = rows.slice(0, 100).map((row) => placed({ ...row, position: 500 - row.position, status: 'queued' }))
  together.place(moved)
  for (const each of moved) single.place([each])
  expect(together.ids('waiting')).toEqual(single.ids('waiting'))
  expect(together.ids('paused')).toEqual(single.ids('paused'))
})

it('places some among very many without comparing them with all', () => {
  let compared = 0
  const compare = comparatorOf(null)
  const counting = (group: TransferGroup) => (left: TransferRow, right: TransferRow) => {
    compared += 1
    return compare(group)(left, right)
  }
  const order = createRowOrder(counting)
  const rows = Array.from({ length: 20_000 }, (_, at) => rowOf(String(at), at))
  order.place(rows.map(placed))
  compared = 0
  order.place(rows.slice(0, 100).map((row) => placed({ ...row, position: row.position * 150 + 0.5 })))
  expect(compared).toBeLessThan(5000)
  const expected = rows.toSorted((left, right) => placeOf(left) - placeOf(right)).map(({ id }) => id)
  expect(order.ids('waiting')).toEqual(expected)
})

const placeOf = ({ position }: TransferRow): number => (position < 100 ? position * 150 + 0.5 : position)

it('sorts by a column up, down and not at all', () => {
  const rows = [rowOf('a', 1, { name: 'b10' }), rowOf('b', 2, { name: 'b9' }), rowOf('c', 3, { name: 'a' })]
  const sorted = (sort: Parameters<typeof comparatorOf>[0]): readonly string[] => {
    const order = createRowOrder(comparatorOf(sort))
    order.place(rows.map(placed))
    return order.ids('waiting')
  }
  const up = nextSort(null, 'name')
  const down = nextSort(up, 'name')
  expect([sorted(up), sorted(down), sorted(nextSort(down, 'name'))]).toEqual([
    ['c', 'b', 'a'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  expect(nextSort(up, 'speed')).toEqual({ by: 'speed', isDescending: true })
})

it('rows are sorted by size, place and when they were added, too', () => {
  const rows = [
    makeRow({ id: 'a', sizeBytes: 5, createdAtMs: 3, placeId: 'x' }),
    makeRow({ id: 'b', sizeBytes: null, createdAtMs: 1, placeId: 'z' }),
    makeRow({ id: 'c', sizeBytes: 7, createdAtMs: 2, placeId: 'y' }),
  ]
  const sorted = (by: SortColumn): string => {
    const placeNameOf = ({ placeId }: TransferRow): string => placeId ?? ''
    const compare = comparatorOf({ by, isDescending: false }, placeNameOf)('paused')
    return rows
      .toSorted(compare)
      .map(({ id }) => id)
      .join('')
  }
  expect([sorted('size'), sorted('place'), sorted('added')]).toEqual(['bac', 'acb', 'bca'])
})
