import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDelta } from '../../../../renderer/state/queue/apply-delta.ts'
import type { TransferDelta, TransferPatch } from '../../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow, TransferStatus } from '../../../../shared/transfer/transfer.ts'
import { makeRow, noTotals } from '../../rows.ts'

const delta = (changes: Partial<TransferDelta>): TransferDelta => ({
  seq: 1,
  added: [],
  patched: [],
  removed: [],
  totals: noTotals,
  ...changes,
})

test('only changed rows are new objects, and the order stays the same array', () => {
  const rows = new Map([makeRow({ id: 'a' }), makeRow({ id: 'b' })].map((row) => [row.id, row]))
  const order = ['a', 'b']
  const [a, b] = [rows.get('a'), rows.get('b')]
  const applied = applyDelta(rows, order, delta({ patched: [{ id: 'a', confirmedBytes: 8e9 }] }))
  expect(applied.order).toBe(order)
  expect(rows.get('b')).toBe(b)
  expect(a?.confirmedBytes).toBe(7.9e9)
  expect(rows.get('a')?.confirmedBytes).toBe(8e9)
  expect([applied.progressed, applied.reworded]).toEqual([['a'], []])
})

test('a change of status is reported with the name, a patch of an unknown row is not', () => {
  const rows = new Map([['a', makeRow({ id: 'a' })]])
  const patched = [
    { id: 'a', status: 'completed', bytesPerSecond: 0 },
    { id: 'gone', status: 'failed' },
  ] as const
  const { statusChanges, reworded } = applyDelta(rows, ['a'], delta({ patched }))
  expect(statusChanges).toEqual([{ id: 'a', name: 'raw-footage.mov', from: 'transferring', to: 'completed' }])
  expect(reworded).toEqual(['a'])
})

/** Main's side of the queue, kept in the plainest possible way. */
interface Model {
  readonly table: readonly TransferRow[]
  readonly deltas: readonly TransferDelta[]
}

const statuses: readonly TransferStatus[] = ['queued', 'transferring', 'paused', 'failed', 'completed']
const step = fc.record({
  add: fc.nat({ max: 3 }),
  patch: fc.array(fc.record({ at: fc.nat(), status: fc.constantFrom(...statuses), confirmedBytes: fc.nat() })),
  remove: fc.array(fc.nat(), { maxLength: 3 }),
})

function evolve(
  { table, deltas }: Model,
  { add, patch, remove }: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  const seq = deltas.length + 1
  const added = Array.from({ length: add }, (_, index) => makeRow({ id: `${String(seq)}-${String(index)}` }))
  const grown = [...table, ...added]
  const patched: TransferPatch[] = patch.flatMap(({ at, status, confirmedBytes }) => {
    const row = grown[at % Math.max(1, grown.length)]
    return row === undefined ? [] : [{ id: row.id, status, confirmedBytes }]
  })
  const removed = [...new Set(remove.flatMap((at) => grown[at % Math.max(1, grown.length)]?.id ?? []))]
  const next = grown
    .map((row) => patched.filter((each) => each.id === row.id).reduce<TransferRow>((r, p) => ({ ...r, ...p }), row))
    .filter((row) => !removed.includes(row.id))
  return { table: next, deltas: [...deltas, delta({ seq, added, patched, removed })] }
}

test('folding every delta gives the same queue as the snapshot', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const main = steps.reduce<Model>(evolve, { table: [], deltas: [] })
      const rows = new Map<TransferId, TransferRow>()
      const order = main.deltas.reduce<readonly TransferId[]>((ids, each) => applyDelta(rows, ids, each).order, [])
      expect(order.map((id) => rows.get(id))).toEqual(main.table)
      expect(rows.size).toBe(main.table.length)
    }),
  )
})
