import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createNotificationKeeper,
  createNotifier,
  type Notice,
  type Notifier,
} from '../../electron/shell/notifications.ts'
import type { TransferPatch } from '../../shared/transfer/transfer-delta.ts'
import { queueTotals, transferRow, transferSnapshot } from '../support/fakes/transfer-rows.ts'

let shown: string[]
let isLooking: boolean
let notifier: Notifier

beforeEach(() => {
  vi.useFakeTimers()
  shown = []
  isLooking = false
  const rows = ['a', 'b', 'c'].map((id) => transferRow({ id, name: `${id}.mov`, activeMs: 60_000 }))
  const show = ({ title, body }: Notice) => shown.push(`${title}: ${body}`)
  notifier = createNotifier(transferSnapshot(rows), () => isLooking, show)
})

afterEach(() => {
  notifier.close()
  vi.useRealTimers()
})

function patch(patched: readonly TransferPatch[], active = 1): void {
  notifier.observe({ seq: 1, added: [], patched, removed: [], totals: queueTotals({ active }) })
}

it('tells at once when the queue has run dry', () => {
  patch([{ id: 'a', status: 'completed' }], 0)
  expect(shown).toEqual(['a.mov uploaded: 0 bytes in 1 min'])
})

it.each([
  ['etag-md5', 'verified (MD5)'],
  ['size-only', 'size checked only'],
  ['unproven', 'not checked: the server gave neither size nor checksum'],
] as const)('claims no more of a copy with %s than was checked', (verification, words) => {
  patch([{ id: 'a', status: 'completed', verification }], 0)
  expect(shown).toEqual([`a.mov uploaded: 0 bytes in 1 min · ${words}`])
})

it('says which transfers it is about, so that a click can show them', () => {
  const seen: unknown[] = []
  const rows = ['a', 'b'].map((id) => transferRow({ id, activeMs: 60_000 }))
  const own = createNotifier(
    transferSnapshot(rows),
    () => false,
    ({ kind, ids }) => seen.push([kind, ids]),
  )
  const patched = [{ id: 'a', status: 'completed' } as const, { id: 'b', status: 'failed' } as const]
  own.observe({ seq: 1, added: [], patched, removed: [], totals: queueTotals() })
  expect(seen).toEqual([
    ['done', ['a']],
    ['attention', ['b']],
  ])
})

it('makes one message of what finishes within ten seconds', () => {
  patch([{ id: 'a', status: 'completed', confirmedBytes: 3e9, finishedAtMs: 1_000_000 }])
  vi.advanceTimersByTime(9000)
  patch([{ id: 'b', status: 'completed', confirmedBytes: 5e8, finishedAtMs: 1_060_000 }])
  expect(shown).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(shown).toEqual(['2 files uploaded: a.mov and 1 more, 3.50 GB in 2 min.'])
})

it('tells what needs a person, and that something is kept where something is', () => {
  patch([{ id: 'c', status: 'failed' }], 0)
  expect(shown).toEqual(['c.mov needs you: Open Sluice to see why.'])
  patch([{ id: 'b', status: 'failed', confirmedBytes: 1 }], 0)
  expect(shown.slice(1)).toEqual(['b.mov needs you: Everything transferred so far is kept.'])
})

it('tells of several that something is kept where one of them has something', () => {
  patch([{ id: 'a', status: 'failed' }])
  patch([{ id: 'b', status: 'failed', confirmedBytes: 1 }], 0)
  expect(shown).toEqual(['2 transfers need you: Everything transferred so far is kept.'])
})

it('is silent while somebody looks', () => {
  isLooking = true
  patch([{ id: 'a', status: 'completed' }], 0)
  isLooking = false
  vi.advanceTimersByTime(60_000)
  expect(shown).toEqual([])
})

it('is silent about short transfers, pauses and retries', () => {
  notifier.observe({
    seq: 1,
    added: [transferRow({ id: 'd', name: 'd.mov' })],
    patched: [
      { id: 'd', activeMs: 19_000 },
      { id: 'd', status: 'completed' },
      { id: 'a', status: 'paused' },
      { id: 'b', status: 'waiting' },
    ],
    removed: [],
    totals: queueTotals(),
  })
  vi.advanceTimersByTime(60_000)
  expect(shown).toEqual([])
})

it('tells once of one transfer', () => {
  patch([{ id: 'a', status: 'completed' }], 0)
  patch([{ id: 'a', status: 'completed', unitsDone: 3 }], 0)
  expect(shown).toHaveLength(1)
})

it.each(['click', 'close', 'failed'] as const)('holds on to a notification until %s', (end) => {
  const keeper = createNotificationKeeper()
  const listeners = new Map<string, () => void>()
  let clicks = 0
  const notification = { on: (event: string, listener: () => void) => listeners.set(event, listener), show: vi.fn() }
  keeper.show(notification, () => (clicks += 1))
  expect(notification.show).toHaveBeenCalledOnce()
  expect([...keeper.kept]).toEqual([notification])
  listeners.get(end)?.()
  expect([keeper.kept.size, clicks]).toEqual([0, end === 'click' ? 1 : 0])
})
