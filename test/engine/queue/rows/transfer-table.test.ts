import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTransferTable } from '../../../../electron/engine/queue/rows/transfer-table.ts'
import { createEntry } from '../../../../electron/engine/transfer/transfer-entry.ts'
import { toRow } from '../../../../electron/engine/transfer/transfer-row.ts'
import { MAX_DELTA_BYTES } from '../../../../shared/limits.ts'
import type { TransferDelta, TransferSnapshot } from '../../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../../shared/transfer/transfer.ts'
import { uploadRecord } from '../../../support/fakes/records.ts'

const base = toRow(createEntry(uploadRecord(), 'new'))

/** What the window does with snapshots and deltas. */
class Receiver {
  readonly rows = new Map<TransferId, TransferRow>()
  seq: number
  totals: TransferSnapshot['totals']

  constructor(snapshot: TransferSnapshot) {
    this.seq = snapshot.seq
    this.totals = snapshot.totals
    for (const row of snapshot.rows) this.rows.set(row.id, row)
  }

  apply(delta: TransferDelta): void {
    expect(delta.seq).toBe(this.seq + 1)
    this.seq = delta.seq
    this.totals = delta.totals
    for (const row of delta.added) this.rows.set(row.id, row)
    for (const patch of delta.patched) {
      const row = this.rows.get(patch.id)
      if (row !== undefined) this.rows.set(patch.id, { ...row, ...patch })
    }
    for (const id of delta.removed) this.rows.delete(id)
  }
}

type Step =
  | { readonly kind: 'put'; readonly id: number; readonly changes: Partial<TransferRow> }
  | { readonly kind: 'remove'; readonly id: number }
  | { readonly kind: 'delta' }
  | { readonly kind: 'snapshot' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.nat(9),
    changes: fc.record(
      {
        status: fc.constantFrom('queued', 'transferring', 'waiting', 'paused', 'failed', 'completed'),
        confirmedBytes: fc.nat(3),
        sizeBytes: fc.constantFrom(null, 10),
        bytesPerSecond: fc.nat(2),
        direction: fc.constantFrom('upload', 'download'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.nat(9) }),
  fc.constantFrom<Step>({ kind: 'delta' }, { kind: 'snapshot' }),
)

test('folding deltas gives the snapshot, whenever the receiver began and others took snapshots', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const table = createTransferTable()
      const receivers = [new Receiver(table.snapshot())]
      // An id is never used again.
      const generations = new Map<number, number>()
      const idOf = (id: number) => `${String(id)}.${String(generations.get(id) ?? 0)}`
      const pull = () => {
        const delta = table.takeDelta()
        if (delta !== null) for (const receiver of receivers) receiver.apply(delta)
      }
      for (const step of steps) {
        if (step.kind === 'delta') pull()
        else if (step.kind === 'snapshot') receivers.push(new Receiver(table.snapshot()))
        else if (step.kind === 'put') {
          const id = idOf(step.id)
          table.put({ ...(table.get(id) ?? { ...base, id }), ...step.changes })
        } else {
          table.remove(idOf(step.id))
          generations.set(step.id, (generations.get(step.id) ?? 0) + 1)
        }
      }
      pull()
      expect(table.takeDelta()).toBeNull()
      const { rows, totals, seq } = table.snapshot()
      for (const receiver of receivers) {
        expect([...receiver.rows.values()]).toEqual(rows)
        expect([receiver.seq, receiver.totals]).toEqual([seq, totals])
      }
    }),
  )
})

test('totals count what is left and what needs attention', () => {
  const table = createTransferTable()
  const put = (id: string, changes: Partial<TransferRow>) => {
    table.put({ ...base, id, sizeBytes: 100, ...changes })
  }
  put('a', { status: 'transferring', confirmedBytes: 40, bytesPerSecond: 10, etaSeconds: 6 })
  put('b', { status: 'transferring', direction: 'download', sizeBytes: null, bytesPerSecond: 5 })
  put('c', { status: 'paused' })
  put('d', { status: 'failed' })
  put('e', { status: 'canceled' })
  put('e', { status: 'completed' })
  expect(table.snapshot().totals).toEqual({
    counts: { all: 5, active: 2, waiting: 0, paused: 1, attention: 1, done: 1 },
    uploadBytesPerSecond: 10,
    downloadBytesPerSecond: 5,
    remainingBytes: 160,
    pausedBytes: 100,
    etaSeconds: 4,
  })
})

test('a patch carries the changed members only', () => {
  const table = createTransferTable()
  table.put(base)
  expect(table.takeDelta()?.added).toEqual([base])
  table.put({ ...base, confirmedBytes: 1 })
  table.put({ ...base, confirmedBytes: 2 })
  expect(table.takeDelta()?.patched).toEqual([{ id: base.id, confirmedBytes: 2 }])
  table.put({ ...base, confirmedBytes: 3 })
  table.put({ ...base, confirmedBytes: 2 })
  expect(table.takeDelta()).toBeNull()
})

test('a long list comes in deltas of at most 256 KB, complete and in order', () => {
  const table = createTransferTable()
  const receiver = new Receiver(table.snapshot())
  for (let index = 0; index < 8000; index += 1) table.put({ ...base, id: String(index), key: `ключ/${String(index)}` })
  let count = 0
  for (let delta = table.takeDelta(); delta !== null; delta = table.takeDelta()) {
    expect(Buffer.byteLength(JSON.stringify(delta))).toBeLessThanOrEqual(MAX_DELTA_BYTES)
    receiver.apply(delta)
    count += 1
  }
  expect(count).toBeGreaterThan(10)
  expect([...receiver.rows.keys()]).toEqual(table.snapshot().rows.map((row) => row.id))
})

test('an existing row comes with the snapshot, and later only its changes are sent', () => {
  const table = createTransferTable()
  table.load(base)
  expect(table.snapshot()).toMatchObject({ rows: [base], totals: { counts: { all: 1 } } })
  expect(table.takeDelta()).toBeNull()
  table.put({ ...base, confirmedBytes: 1 })
  table.put({ ...base, id: 'new' })
  expect(table.takeDelta()).toMatchObject({ added: [{ id: 'new' }], patched: [{ id: base.id }], removed: [] })
  table.remove(base.id)
  expect(table.takeDelta()).toMatchObject({ added: [], removed: [base.id] })
})

test('a row that is put back within a frame stays, and no delta holds an id twice', () => {
  const table = createTransferTable()
  table.put({ ...base, id: 'a', position: 1 })
  table.put({ ...base, id: 'b', position: 2 })
  const receiver = new Receiver(table.snapshot())
  const first = table.takeDelta()
  if (first !== null) receiver.apply(first)
  table.remove('a')
  table.put({ ...base, id: 'a', position: 1, status: 'paused' })
  // Never told at all, and taken off again.
  table.put({ ...base, id: 'c', position: 3 })
  table.remove('c')
  const delta = table.takeDelta()
  if (delta === null) throw new Error('Nothing was told')
  const ids = [...delta.added.map(({ id }) => id), ...delta.patched.map(({ id }) => id), ...delta.removed]
  expect(new Set(ids).size).toBe(ids.length)
  receiver.apply(delta)
  expect([...receiver.rows.keys()].toSorted()).toEqual(['a', 'b'])
  expect(receiver.rows.get('a')?.status).toBe('paused')
})
