import { serialize } from 'node:v8'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDeltaPublisher, splitDelta, type DeltaPublisher } from '../../electron/ipc/delta-publisher.ts'
import { MAX_DELTA_BYTES } from '../../shared/limits.ts'
import type { TransferDelta, TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'
import type { TransferDetails, TransferRow } from '../../shared/transfer/transfer.ts'
import { queueTotals, transferRow } from '../support/fakes/transfer-rows.ts'

const totals = queueTotals()
const row = (id: string): TransferRow =>
  transferRow({ id, name: `${id} – Füße.mov`, key: `media/${id}.mov`, localPath: `/data/${id}.mov` })
const rows = (count: number): TransferRow[] => Array.from({ length: count }, (_, index) => row(`row-${index}`))
const patch = (id: string, confirmedBytes: number): TransferDelta => ({
  seq: 7,
  added: [],
  patched: [{ id, confirmedBytes }],
  removed: [],
  totals,
})

const base: TransferDetails = {
  id: 'row-0',
  uploadId: null,
  etag: null,
  unitSizeBytes: 0,
  unitsPerCell: 1,
  cells: [],
  log: [],
  droppedBytes: 0,
  averageBytesPerSecond: 0,
  peakBytesPerSecond: 0,
  speed: { recent: [], life: [], lifeStepMs: 1000 },
}

let pending: TransferDelta | null
let queue: readonly TransferRow[]
let details: TransferDetails | null
let pulls: number
let isVisible: boolean
let isAtRest: boolean
let tellChange: () => void
let sent: TransferDelta[]
let sentDetails: TransferDetails[]
let observed: TransferDelta[]
let publisher: DeltaPublisher

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  pending = null
  queue = []
  details = null
  pulls = 0
  isVisible = true
  isAtRest = false
  sent = []
  sentDetails = []
  observed = []
  const engine = {
    snapshot: (): TransferSnapshot => ({ seq: 40, rows: queue, totals }),
    takeDelta: () => {
      pulls++
      const delta = pending
      pending = null
      return delta
    },
    details: () => details,
    onChange: (listener: () => void) => {
      tellChange = listener
    },
    get isAtRest() {
      return isAtRest
    },
  }
  const target = {
    sendDelta: (delta: TransferDelta) => sent.push(delta),
    sendDetails: (some: TransferDetails) => sentDetails.push(some),
    isVisible: () => isVisible,
  }
  publisher = createDeltaPublisher(engine, target, (delta) => observed.push(delta))
})

afterEach(() => {
  publisher.close()
  vi.useRealTimers()
})

/** Something changes every millisecond for a while. */
function changeFor(durationMs: number, change = (ms: number): TransferDelta => patch('row-0', ms)): void {
  for (let ms = 0; ms < durationMs; ms++) {
    pending = change(ms)
    vi.advanceTimersByTime(1)
  }
}

function withStatus(status: TransferRow['status']): TransferDelta {
  return { ...patch('row-0', 0), patched: [{ id: 'row-0', status }] }
}

it('numbers deltas without a gap, from the snapshot on', () => {
  queue = rows(1)
  const { seq } = publisher.snapshot()
  changeFor(500)
  expect(sent.map((delta) => delta.seq - seq)).toEqual(sent.map((_, index) => index + 1))
  expect(sent.length).toBeGreaterThan(1)
})

it('sends at most one delta a frame while the window is seen', () => {
  publisher.snapshot()
  vi.advanceTimersByTime(16)
  changeFor(1000, (ms) => withStatus(ms % 2 === 0 ? 'transferring' : 'waiting'))
  expect(sent.length).toBeLessThanOrEqual(63)
  expect(sent.length).toBeGreaterThan(50)
})

it('tells of mere progress ten times a second at most, of the newest, and of a new status at once with it', () => {
  publisher.snapshot()
  vi.advanceTimersByTime(200)
  sent.length = 0
  changeFor(1000)
  expect(sent.length).toBeLessThanOrEqual(10)
  expect(sent.length).toBeGreaterThan(7)
  vi.advanceTimersByTime(200)
  expect(sent.at(-1)?.patched).toEqual([{ id: 'row-0', confirmedBytes: 999 }])
  changeFor(150)
  vi.advanceTimersByTime(16)
  pending = withStatus('completed')
  vi.advanceTimersByTime(16)
  expect(sent.at(-1)?.patched).toEqual([{ id: 'row-0', confirmedBytes: 149, status: 'completed' }])
})

it('sends nothing while it is not, and what it missed as one delta when it is again', () => {
  publisher.snapshot()
  isVisible = false
  vi.advanceTimersByTime(500)
  sent.length = 0
  observed.length = 0
  changeFor(1000)
  pending = { ...patch('row-0', 7), added: [row('new')], removed: ['gone'] }
  vi.advanceTimersByTime(250)
  pending = { ...patch('new', 3), removed: ['row-0'] }
  vi.advanceTimersByTime(250)
  expect({ sent, observed: observed.length }).toEqual({ sent: [], observed: 6 })
  isVisible = true
  vi.advanceTimersByTime(500)
  expect(sent).toEqual([
    expect.objectContaining({ added: [{ ...row('new'), confirmedBytes: 3 }], patched: [], removed: ['gone', 'row-0'] }),
  ])
})

it('looks ten times a second at most when nothing changes', () => {
  vi.advanceTimersByTime(2000)
  pulls = 0
  vi.advanceTimersByTime(10_000)
  expect(pulls).toBeLessThanOrEqual(100)
})

it('looks at nothing while nothing runs, seen or not, and within a frame of a change', () => {
  publisher.snapshot()
  isAtRest = true
  for (const seen of [true, false]) {
    isVisible = seen
    vi.advanceTimersByTime(2000)
    pulls = 0
    vi.advanceTimersByTime(60_000)
    expect(pulls).toBe(0)
  }
  isVisible = true
  pending = patch('row-0', 1)
  tellChange()
  vi.advanceTimersByTime(16)
  expect(sent).toHaveLength(1)
})

it('shows what changed out of sight soon after the window is seen again, also while nothing runs', () => {
  publisher.snapshot()
  isAtRest = true
  isVisible = false
  vi.advanceTimersByTime(5000)
  pending = patch('row-0', 1)
  tellChange()
  vi.advanceTimersByTime(60_000)
  isVisible = true
  publisher.poke()
  vi.advanceTimersByTime(16)
  expect(sent).toHaveLength(1)
})

it('looks within a frame after a command, also when nothing changed before', () => {
  publisher.snapshot()
  vi.advanceTimersByTime(5000)
  pending = patch('row-0', 1)
  publisher.poke()
  vi.advanceTimersByTime(16)
  expect(sent).toHaveLength(1)
})

it('sends nothing before the page asked for the queue, but tells the observer', () => {
  pending = patch('row-0', 1)
  vi.advanceTimersByTime(100)
  expect({ sent, observed: observed.length }).toEqual({ sent: [], observed: 1 })
})

it('does not send again what the snapshot holds already', () => {
  pending = patch('row-0', 1)
  publisher.snapshot()
  vi.advanceTimersByTime(100)
  expect({ sent, observed: observed.length }).toEqual({ sent: [], observed: 1 })
})

it('cuts a long queue into messages of 256 KB: the snapshot and the deltas after it', () => {
  queue = rows(10_000)
  const first = publisher.snapshot()
  vi.advanceTimersByTime(5000)
  expect([...first.rows, ...sent.flatMap((delta) => delta.added)]).toEqual(queue)
  expect([first, ...sent].filter((message) => serialize(message).length > MAX_DELTA_BYTES)).toEqual([])
})

it('cuts no more of a long queue at a time than it sends', () => {
  let read = 0
  const counted = (each: TransferRow): TransferRow => ({
    ...each,
    get name() {
      read += 1
      return each.name
    },
  })
  queue = rows(10_000).map(counted)
  const { rows: told } = publisher.snapshot()
  expect(told.length).toBeGreaterThan(10)
  expect(read).toBeLessThan(4 * told.length)
})

it('cuts a delta so that its pieces have the same effect in order', () => {
  const delta: TransferDelta = {
    seq: 1,
    added: rows(1000),
    patched: rows(1000).map(({ id }) => ({ id, status: 'paused' as const })),
    removed: ['gone'],
    totals,
  }
  const pieces = [...splitDelta(delta)]
  const order = pieces.flatMap(({ added, patched, removed }) => [
    ...added.map(({ id }) => `+${id}`),
    ...patched.map(({ id }) => `~${id}`),
    ...removed.map((id) => `-${id}`),
  ])
  expect(order).toEqual([...delta.added.map(({ id }) => `+${id}`), ...delta.patched.map(({ id }) => `~${id}`), '-gone'])
  expect(pieces.filter((piece) => serialize(piece).length > MAX_DELTA_BYTES)).toEqual([])
})

it('sends details of the watched transfer only, when they changed, four times a second', () => {
  details = base
  vi.advanceTimersByTime(1000)
  expect(sentDetails).toEqual([])
  publisher.watch('row-0')
  vi.advanceTimersByTime(1000)
  expect(sentDetails).toEqual([base])
  for (let ms = 0; ms < 1000; ms++) {
    details = { ...base, peakBytesPerSecond: ms + 1 }
    vi.advanceTimersByTime(1)
  }
  expect(sentDetails.length).toBeLessThanOrEqual(5)
  publisher.watch(null)
  const before = sentDetails.length
  details = base
  vi.advanceTimersByTime(1000)
  expect(sentDetails.length).toBe(before)
})

it('sends the last details also where nothing runs from then on', () => {
  details = base
  publisher.watch('row-0')
  vi.advanceTimersByTime(5000)
  isAtRest = true
  vi.advanceTimersByTime(5000)
  details = { ...base, peakBytesPerSecond: 1 }
  tellChange()
  vi.advanceTimersByTime(16)
  details = { ...base, peakBytesPerSecond: 2 }
  tellChange()
  vi.advanceTimersByTime(500)
  expect(sentDetails.map(({ peakBytesPerSecond }) => peakBytesPerSecond)).toEqual([base.peakBytesPerSecond, 1, 2])
})

it('sends details with a new status at once', () => {
  publisher.snapshot()
  publisher.watch('row-0')
  details = base
  vi.advanceTimersByTime(1000)
  details = { ...base, peakBytesPerSecond: 1 }
  vi.advanceTimersByTime(300)
  pending = patch('row-0', 5)
  vi.advanceTimersByTime(100)
  const before = sentDetails.length
  pending = { ...patch('row-0', 5), patched: [{ id: 'row-0', status: 'failed' }] }
  details = { ...base, peakBytesPerSecond: 3 }
  vi.advanceTimersByTime(20)
  expect(sentDetails.slice(before)).toEqual([details])
})

it('stops looking when it is closed', () => {
  publisher.close()
  pulls = 0
  vi.advanceTimersByTime(5000)
  expect(pulls).toBe(0)
})

it('begins with what a person sees first, and ends with what was done long ago', () => {
  const done = (id: string, finishedAtMs: number): TransferRow => ({ ...row(id), status: 'completed', finishedAtMs })
  queue = [done('old', 1), done('new', 2), row('waits'), { ...row('needs you'), status: 'failed' }]
  expect(publisher.snapshot().rows.map(({ id }) => id)).toEqual(['needs you', 'waits', 'new', 'old'])
})
