import fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalLength } from '../../../../electron/engine/core/byte-ranges.ts'
import { bytesLeft, LeaseBook, type Hedge, type Lease } from '../../../../electron/engine/download/leases/lease-book.ts'
import {
  assign,
  leaseBytes,
  MIN_STEAL_BYTES,
  onItsWayBytes,
  slowLeases,
  spareBytes,
  type Circumstances,
} from '../../../../electron/engine/download/leases/lease-policy.ts'
import { Throughput } from '../../../../electron/engine/flow-control/throughput.ts'
import type { ByteRange } from '../../../../shared/byte-range.ts'
import { MIB } from '../../../../shared/limits.ts'

const CUT = MIB / 4

const missingRanges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 * MIB }), fc.integer({ min: 1, max: 60 * MIB })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((gaps) => {
    let position = 0
    return gaps.map(([skip, length]): ByteRange => {
      const start = position + skip
      position = start + length
      return { start, end: position }
    })
  })

/** One thing that happens to the connection with this index; `amount` is a share of what could. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'assign',
      'arrive',
      'arrive',
      'arrive',
      'fail',
      'shorten',
      'unwritten',
      'copied',
      'answered',
      'refused',
    ),
    who: fc.nat(7),
    amount: fc.double({ min: 0, max: 1, noNaN: true }),
    passedMs: fc.integer({ min: 0, max: 3000 }),
    isLimited: fc.boolean(),
  }),
  { maxLength: 150 },
)

/** Drives a book like connections do, writing down every byte. */
class Model {
  readonly written: ByteRange[] = []
  readonly copies = new Set<Hedge>()
  readonly held: Lease[] = []
  readonly book: LeaseBook
  readonly #missing: readonly ByteRange[]
  nowMs = 0

  constructor(missing: readonly ByteRange[]) {
    this.#missing = missing
    this.book = new LeaseBook(missing, spareBytes(totalLength(missing)), 0)
  }

  circumstances(isLimited: boolean): Circumstances {
    return {
      nowMs: this.nowMs,
      latencyMs: 20,
      connections: 8,
      usualRate: null,
      hostRate: 0,
      isLimited,
      isInDoubt: false,
    }
  }

  assign(isLimited: boolean): boolean {
    const before = new Map(this.held.map((lease) => [lease, { lacking: bytesLeft(lease), end: lease.end }]))
    const found = assign(this.book, null, this.circumstances(isLimited))
    if (found?.kind === 'hedge') {
      expect(isLimited).toBe(false)
      this.copies.add(found.hedge)
    } else if (found !== null) {
      this.held.push(found.lease)
      const was = found.victim === null ? undefined : before.get(found.victim)
      // Either all of what lacked, or a tail that is worth it.
      if (was !== undefined && found.victim !== null && bytesLeft(found.victim) > 0) {
        expect(was.lacking).toBeGreaterThanOrEqual(MIN_STEAL_BYTES)
        expect(found.lease.start % CUT).toBe(0)
        expect([found.lease.end, found.victim.end]).toEqual([was.end, found.lease.start])
      }
    }
    return found !== null
  }

  arrive(lease: Lease, share: number): void {
    this.book.take(lease, Math.ceil(bytesLeft(lease) * share), this.nowMs)
    if (bytesLeft(lease) === 0) this.end(lease)
  }

  /** The holder wrote what it took and ends. */
  end(lease: Lease): void {
    if (lease.position > lease.start) this.written.push({ start: lease.start, end: lease.position })
    this.held.splice(this.held.indexOf(lease), 1)
    this.book.giveBack(lease)
  }

  copied(hedge: Hedge): void {
    this.copies.delete(hedge)
    this.book.dropHedge(hedge)
    const lease = this.book.win(hedge, new Throughput(this.nowMs, null))
    if (lease === null) return
    expect(lease.start).toBeGreaterThanOrEqual(hedge.start)
    expect(lease.end).toBeLessThanOrEqual(hedge.end)
    this.held.push(lease)
    this.arrive(lease, 1)
  }

  /** Every missing byte is open, leased or written, and only one of these. */
  check(): void {
    const leased = this.held.map(({ start, end }) => ({ start, end })).filter(({ start, end }) => end > start)
    const all = [...this.book.open, ...leased, ...this.written].sort((a, b) => a.start - b.start)
    const joined: ByteRange[] = []
    for (const range of all) {
      const last = joined.at(-1)
      if (last?.end === range.start) joined[joined.length - 1] = { start: last.start, end: range.end }
      else joined.push(range)
    }
    expect(joined).toEqual(this.#missing)
  }
}

test('whatever happens, every byte is fetched and written exactly once', () => {
  fc.assert(
    fc.property(missingRanges, steps, (missing, happened) => {
      const model = new Model(missing)
      for (const { kind, who, amount, passedMs, isLimited } of happened) {
        model.nowMs += passedMs
        const lease = model.held[who % Math.max(1, model.held.length)]
        const [copy] = model.copies
        if (kind === 'assign') model.assign(isLimited)
        else if (kind === 'copied') {
          if (copy !== undefined) model.copied(copy)
        } else if (kind === 'refused') {
          model.book.leaveToResponses()
        } else if (lease !== undefined) {
          if (kind === 'arrive') model.arrive(lease, amount)
          else if (kind === 'fail') model.end(lease)
          else if (kind === 'answered') lease.answeredTo = lease.end + Math.floor(amount * 20 * MIB)
          else if (kind === 'unwritten') {
            model.book.rewind(lease, lease.start + Math.floor((lease.position - lease.start) * amount))
          } else if (bytesLeft(lease) > 0) {
            model.book.shorten(lease, lease.position + Math.floor(bytesLeft(lease) * Math.min(amount, 0.99)))
          }
        }
        model.check()
      }
      // Those that are left finish; nobody fails any more.
      while (!model.book.isComplete) {
        const isAssigned = model.held.length < 8 && model.assign(false)
        const [lease] = model.held
        if (!isAssigned && lease !== undefined) model.arrive(lease, 1)
        for (const copy of model.copies) model.copied(copy)
      }
      model.check()
      expect(totalLength(model.written)).toBe(totalLength(missing))
    }),
    { numRuns: 500 },
  )
})

test('leases last some seconds, less towards the end, and never cost more requests than they bring', () => {
  const now = {
    nowMs: 0,
    latencyMs: 40,
    connections: 8,
    usualRate: null,
    hostRate: 0,
    isLimited: false,
    isInDoubt: false,
  }
  expect(leaseBytes(null, 1000 * MIB, now)).toBe(8 * MIB)
  expect(leaseBytes(8 * MIB, 1000 * MIB, now)).toBe(32 * MIB)
  expect(leaseBytes(8 * MIB, 96 * MIB, now)).toBe(6 * MIB)
  expect(leaseBytes(8 * MIB, 8 * MIB, now)).toBe(4 * MIB)
  expect(leaseBytes(1000 * MIB, 1000 * MIB, now)).toBe(64 * MIB)
  expect(leaseBytes(1000, 1000 * MIB, now)).toBe(MIB)
})

test('nothing is lent too far ahead of the lowest byte that lacks', () => {
  const book = new LeaseBook([{ start: 0, end: 100 * MIB }], 0, 0)
  const lowest = book.lend(8 * MIB, 16 * MIB, new Throughput(0, null))
  expect(book.lend(8 * MIB, 16 * MIB, new Throughput(0, null))).toMatchObject({ start: 8 * MIB, end: 16 * MIB })
  expect(book.lend(8 * MIB, 16 * MIB, new Throughput(0, null))).toBeNull()
  book.take(lowest as Lease, MIB, 1)
  expect(book.lend(8 * MIB, 16 * MIB, new Throughput(0, null))).toMatchObject({ start: 16 * MIB })
})

/** Eight connections; the first stopped `silentMs` ago, the others run at 4 MiB/s. */
function withOneSlow(lackingOfSlow: number, ofOthers: number, silentMs = 3000) {
  const book = new LeaseBook([{ start: 0, end: 512 * MIB }], spareBytes(512 * MIB), 0)
  const leases = Array.from({ length: 8 }, () => book.lend(64 * MIB, Infinity, new Throughput(0, null)) as Lease)
  const [slow, ...others] = leases as [Lease, ...Lease[]]
  const nowMs = 9000
  for (let ms = 100; ms <= nowMs; ms += 100) {
    for (const lease of ms <= nowMs - silentMs ? leases : others) book.take(lease, 0.4 * MIB, ms)
  }
  slow.end = slow.position + lackingOfSlow
  for (const lease of others) lease.end = lease.position + ofOthers
  return {
    book,
    slow,
    now: { nowMs, latencyMs: 40, connections: 8, usualRate: null, hostRate: 0, isLimited: false, isInDoubt: false },
  }
}

test('an idle connection takes the tail of what would end last, split by rate', () => {
  const { book, slow, now } = withOneSlow(20 * MIB, 4 * MIB)
  const found = assign(book, 4 * MIB, now)
  expect(found).toMatchObject({ kind: 'lease', victim: slow, lease: { end: slow.position + 20 * MIB } })
  expect(bytesLeft(slow)).toBeLessThan(2 * MIB)
  expect(bytesLeft(slow)).toBeGreaterThan(0)
})

test('while ranges are in doubt nothing is taken from a response, and what was taken goes back to it', () => {
  const { book, slow, now } = withOneSlow(20 * MIB, 4 * MIB)
  const [end, bytes] = [slow.end, bytesLeft(slow)]
  slow.answeredTo = end
  const taken = [assign(book, 4 * MIB, now), assign(book, 4 * MIB, now)]
  for (const each of taken) if (each?.kind === 'lease') book.giveBack(each.lease)
  expect([book.openBytes > 0, bytesLeft(slow) < bytes]).toEqual([true, true])
  book.leaveToResponses()
  expect([book.openBytes, slow.end, bytesLeft(slow)]).toEqual([0, end, bytes])
  expect(assign(book, 4 * MIB, { ...now, isInDoubt: true })).toBeNull()
})

test('a rest too small to share is copied, within the budget and never under a bandwidth limit', () => {
  const { book, slow, now } = withOneSlow(MIB, MIB)
  const before = book.spareBytes
  expect(assign(book, 4 * MIB, { ...now, isLimited: true })).toBeNull()
  expect(assign(book, 4 * MIB, now)).toMatchObject({ kind: 'hedge', hedge: { of: slow } })
  expect(book.spareBytes).toBe(before - MIB)
  expect(spareBytes(512 * MIB)).toBeLessThanOrEqual(0.03 * 512 * MIB)
})

test('a connection far slower than the others is replaced in mid-download, but not under a limit', () => {
  const { book, slow, now } = withOneSlow(50 * MIB, 20 * MIB, 8000)
  expect(slowLeases(book, now)).toEqual([slow])
  expect(slowLeases(book, { ...now, isLimited: true })).toEqual([])
})

test('a silent connection is given up at little cost once bytes that were asked for later have come', () => {
  const book = new LeaseBook([{ start: 0, end: 16 * MIB }], MIB / 16, 0)
  const [silent, other] = [0, 1].map(() => book.lend(8 * MIB, Infinity, new Throughput(0, null)) as Lease)
  const now = {
    nowMs: 5000,
    latencyMs: 1,
    connections: 2,
    usualRate: null,
    hostRate: 0,
    isLimited: false,
    isInDoubt: false,
  }
  if (silent === undefined || other === undefined) return expect.unreachable()
  book.ask(silent, silent.end, 0)
  book.ask(other, other.end, 0)
  book.take(silent, MIB, 1000)
  book.take(other, MIB, 5000)
  // It may stand in the same queue, behind what was asked for at the same time.
  expect([slowLeases(book, now), onItsWayBytes(book, silent, silent.position, now) > MIB]).toEqual([[], true])
  book.ask(other, other.end, 4000)
  book.take(other, MIB, 5000)
  expect(slowLeases(book, now)).toEqual([silent])
  expect(book.spare(silent, silent.position, onItsWayBytes(book, silent, silent.position, now), 'all')).toBe(true)
  expect(slowLeases(book, { ...now, isLimited: true })).toEqual([])
})

test('a slow connection that is the only one left is measured by what others brought', () => {
  const book = new LeaseBook([{ start: 0, end: 4 * MIB }], spareBytes(4 * MIB), 0)
  const slow = book.lend(4 * MIB, Infinity, new Throughput(0, null)) as Lease
  for (let ms = 100; ms <= 5000; ms += 100) book.take(slow, 4000, ms)
  const now = {
    nowMs: 5000,
    latencyMs: 1,
    connections: 4,
    usualRate: 100 * MIB,
    hostRate: 0,
    isLimited: false,
    isInDoubt: false,
  }
  expect(assign(book, null, now)).toMatchObject({ kind: 'lease', victim: slow })
  expect(bytesLeft(slow)).toBeLessThanOrEqual(CUT)
  expect(assign(book, null, { ...now, nowMs: 5001 })).toMatchObject({ kind: 'hedge', hedge: { of: slow } })
})

test('what is on its way to a connection is not asked of another one beyond a small share of the object', () => {
  const book = new LeaseBook([{ start: 0, end: 32 * MIB }], spareBytes(32 * MIB), 0)
  const lease = book.lend(32 * MIB, Infinity, new Throughput(0, null)) as Lease
  lease.askedTo = lease.end
  for (let ms = 100; ms <= 1000; ms += 100) book.take(lease, 0.2 * MIB, ms)
  const now = {
    nowMs: 1000,
    latencyMs: 1,
    connections: 8,
    usualRate: null,
    hostRate: 0,
    isLimited: false,
    isInDoubt: false,
  }
  expect(assign(book, 2 * MIB, now)).toBeNull()
  // What it has not been asked for comes only once.
  lease.askedTo = 0
  expect(assign(book, 2 * MIB, now)).toMatchObject({ kind: 'lease', victim: lease })
})

test('a connection that is to get the whole line of other downloads loses nothing that may then be on its way', () => {
  const book = new LeaseBook([{ start: 0, end: 16 * MIB }], spareBytes(16 * MIB), 0)
  const lease = book.lend(16 * MIB, Infinity, new Throughput(0, null)) as Lease
  book.ask(lease, lease.end, 0)
  for (let ms = 100; ms <= 4000; ms += 100) book.take(lease, MIB / 1024, ms)
  const now = { nowMs: 4000, latencyMs: 1, connections: 2, usualRate: null, isLimited: false, isInDoubt: false }
  expect(assign(book, MIB / 100, { ...now, hostRate: MIB })).toBeNull()
  expect(assign(book, MIB / 100, { ...now, hostRate: 0 })).toMatchObject({ kind: 'lease', victim: lease })
})

test('a connection that falls to a hundredth near the end gives its bytes away within 0.3 s', () => {
  const RATE = 8_000_000
  const TICK_MS = 20
  const book = new LeaseBook([{ start: 0, end: 8 * MIB }], spareBytes(512 * MIB), 0)
  const now = (nowMs: number): Circumstances => ({
    ...{ nowMs, latencyMs: 1, connections: 8, usualRate: RATE, hostRate: 0, isLimited: false, isInDoubt: false },
  })
  const lease = book.lend(8 * MIB, 1024 * MIB, new Throughput(0, RATE))!
  let nowMs = 0
  const arrive = (rate: number) => book.take(lease, (rate * TICK_MS) / 1000, (nowMs += TICK_MS))
  while (nowMs < 800) arrive(RATE)
  // What is left would take a quarter of a second more: nobody need help yet.
  expect(assign(book, RATE, now(nowMs))).toBeNull()

  const fellAtMs = nowMs
  let help = null
  while (help === null && nowMs < fellAtMs + 2000) {
    arrive(RATE / 100)
    help = assign(book, RATE, now(nowMs))
  }

  expect(help).not.toBeNull()
  expect(nowMs - fellAtMs).toBeLessThanOrEqual(300)
})
