import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearDone } from '../../../../renderer/actions/rows/remove-rows.ts'
import { undoRemoval } from '../../../../renderer/actions/rows/take-off.ts'
import { perform } from '../../../../renderer/actions/transfer-actions.ts'
import { stoppingFor } from '../../../../renderer/state/queue/pending-actions.ts'
import { resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import { MAX_REQUEST_ITEMS } from '../../../../shared/limits.ts'
import type { TransferRow } from '../../../../shared/transfer/transfer.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'
import { makeRow, noTotals } from '../../rows.ts'

type Payload = { readonly ids: readonly string[]; readonly removal?: string }

let asked: (readonly [string, Payload])[] = []
let refused: string | null = null
/** What main waits for before it answers. */
let pending: Promise<void> = Promise.resolve()

beginWithFreshUi()
beforeEach(() => {
  asked = []
  refused = null
  pending = Promise.resolve()
  const invoke = (name: string, payload: Payload) => {
    asked.push([name, payload])
    const error = { code: 'failed', message: 'The disk is full.' }
    return pending.then(() => (name === refused ? { ok: false, error } : { ok: true, value: null }))
  }
  vi.stubGlobal('window', { sluice: { invoke } })
})
afterEach(() => {
  resetQueue({ seq: 0, rows: [], totals: noTotals })
  vi.unstubAllGlobals()
})

function list(...rows: readonly Partial<TransferRow>[]): void {
  resetQueue({ seq: 0, rows: rows.map((row) => makeRow(row)), totals: noTotals })
}

const names = () => asked.map(([name]) => name)
const removals = () => new Set(asked.map(([, { removal }]) => removal))
const toast = () => uiStore.getState().toasts.at(-1)

/** Its object is gone, which no new try brings back. */
const GONE = {
  status: 'failed',
  direction: 'download',
  error: { code: 'no-such-key', detail: '', serviceCode: 'NoSuchKey', httpStatus: 404, requestId: null },
} as const

it('asks before what a failed transfer has is thrown away, wherever “Remove” is pressed', () => {
  list({ id: 'a', name: 'film.mov', ...GONE })
  perform('remove', ['a'])
  expect(asked).toEqual([])
  const { question } = uiStore.getState()
  expect(question?.title).toBe('Remove film.mov from the list?')
  expect(question?.other?.label).toBe('Remove and keep')
})

it('says of a transfer that stops to be taken off what becomes of it, and not that it pauses', () => {
  const moving = { name: 'film.mov', status: 'transferring', confirmedBytes: 0 } as const
  list({ id: 'a', ...moving }, { id: 'b', ...moving, confirmedBytes: 5_000_000 })
  perform('remove', ['a'])
  perform('remove', ['b'])
  uiStore.getState().question?.onConfirm()
  list({ id: 'a', ...moving, status: 'pausing' }, { id: 'b', ...moving, status: 'pausing' })
  expect([stoppingFor('a'), stoppingFor('b')]).toEqual(['let-go', 'cancel'])
})

it('takes a failed transfer that has nothing off at once, and offers it back', async () => {
  list({ id: 'a', ...GONE, confirmedBytes: 0 })
  perform('remove', ['a'])
  expect(names()).toEqual(['transfers:let-go'])
  await expect.poll(toast).toMatchObject({ key: 'removed' })
})

it('offers back what went last, by its own name, and nothing else', async () => {
  list(
    { id: 'a', status: 'completed' },
    { id: 'b', status: 'completed' },
    { id: 'c', status: 'queued', confirmedBytes: 0 },
  )
  clearDone()
  await expect.poll(() => toast()?.text()).toBe('2 transfers removed from the list.')
  const first = asked[0]?.[1].removal
  perform('remove', ['c'])
  await expect.poll(() => toast()?.text()).toBe('1 transfer removed from the list.')
  expect(uiStore.getState().toasts).toHaveLength(1)
  const second = asked[1]?.[1].removal
  expect(new Set([first, second, undefined]).size).toBe(3)
  toast()?.actions[0]?.onPress()
  await expect.poll(() => asked.at(-1)).toEqual(['transfers:restore', { removal: second }])
  undoRemoval()
  await expect.poll(() => asked.at(-1)).toEqual(['transfers:restore', { removal: null }])
  expect(uiStore.getState().toasts).toEqual([])
})

it('undoes what is still being removed, once it is', async () => {
  list({ id: 'a', status: 'completed' })
  let end = (): void => undefined
  pending = new Promise((resolve) => (end = resolve))
  clearDone()
  undoRemoval()
  await new Promise((resolve) => setTimeout(resolve))
  expect(names()).toEqual(['transfers:remove'])
  end()
  await expect.poll(names).toEqual(['transfers:remove', 'transfers:restore'])
})

it('is one removal, whatever is to become of the rows, and tells how many went', async () => {
  list(
    { id: 'a', status: 'completed' },
    { id: 'b', status: 'paused' },
    { id: 'c', status: 'queued', confirmedBytes: 0 },
  )
  perform('remove', ['a', 'b', 'c'])
  uiStore.getState().question?.other?.onPress()
  await expect.poll(() => toast()?.text()).toBe('3 transfers removed from the list.')
  expect([names().sort(), removals().size]).toEqual([['transfers:let-go', 'transfers:remove'], 1])
})

it('tells only of those that went, and why the others did not', async () => {
  list({ id: 'a', status: 'completed' }, { id: 'b', status: 'queued', confirmedBytes: 0 })
  refused = 'transfers:let-go'
  perform('remove', ['a', 'b'])
  await expect.poll(() => uiStore.getState().notice?.()).toBe('The disk is full.')
  expect(toast()?.text()).toBe('1 transfer removed from the list.')
})

it('takes off more rows than one request may name', async () => {
  const rows = Array.from(
    { length: MAX_REQUEST_ITEMS + 1 },
    (_, index) => ({ id: `${index}`, status: 'canceled' }) as const,
  )
  list(...rows)
  clearDone()
  await expect.poll(toast).toMatchObject({ key: 'removed' })
  expect(asked.map(([, { ids }]) => ids.length)).toEqual([MAX_REQUEST_ITEMS, 1])
  expect(removals().size).toBe(1)
})

it('starts more rows than one request may name so that they are in their order', async () => {
  const ids = Array.from({ length: MAX_REQUEST_ITEMS + 1 }, (_, index) => `${index}`)
  perform('start-now', ids)
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]?.[1].ids).toEqual(['0'])
})
