import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { createOpenWhenDone, type OpenWhenDone } from '../../../electron/shell/desk/open-when-done.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { queueTotals } from '../../support/fakes/transfer-rows.ts'

const [first, second] = [randomUUID(), randomUUID()]

let values: ReturnType<typeof memoryValues>
let opened: string[]

const create = (): OpenWhenDone =>
  createOpenWhenDone({
    values,
    open: (id) => Promise.resolve(void opened.push(id)),
    onChange: () => undefined,
    onError: (error) => {
      throw error
    },
  })
const delta = (changes: Partial<TransferDelta>): TransferDelta => ({
  seq: 0,
  added: [],
  patched: [],
  removed: [],
  totals: queueTotals(),
  ...changes,
})
const done = (id: string): TransferDelta => delta({ patched: [{ id, status: 'completed' }] })

beforeEach(() => {
  values = memoryValues()
  opened = []
})

it('opens what it was asked to, once, when it is done', () => {
  const opening = create()
  opening.set([first], true)
  opening.observe(delta({ patched: [{ id: first, status: 'verifying' }] }))
  opening.observe(done(second))
  expect(opened).toEqual([])
  opening.observe(done(first))
  opening.observe(done(first))
  expect(opened).toEqual([first])
})

it('forgets what is taken back, or off the list', () => {
  const opening = create()
  opening.set([first, second], true)
  opening.set([first], false)
  opening.observe(delta({ removed: [second] }))
  opening.observe(done(first))
  opening.observe(done(second))
  expect({ opened, ids: opening.ids() }).toEqual({ opened: [], ids: [] })
})

it('holds over a restart', async () => {
  create().set([first], true)
  await expect.poll(() => values.text()).toContain(first)
  const opening = create()
  await expect.poll(() => opening.ids()).toEqual([first])
  opening.observe(done(first))
  expect(opened).toEqual([first])
})

it('says that what was kept can’t be read, and opens what is asked for from then on', async () => {
  const failures: unknown[] = []
  const opening = createOpenWhenDone({
    values: { ...values, read: () => Promise.reject(new Error('EIO')) },
    open: (id) => Promise.resolve(void opened.push(id)),
    onChange: () => undefined,
    onError: (error) => failures.push(error),
  })
  await expect.poll(() => failures).toEqual([new Error('EIO')])
  opening.set([first], true)
  opening.observe(done(first))
  expect(opened).toEqual([first])
})
