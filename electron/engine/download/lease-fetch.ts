// One request of a download: fetches a lease, writes it, and watches for a stall.

import { rangeLength } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { ConnectionShare } from '../core/connections.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { unitAt } from '../partial-file/claim-ledger.ts'
import type { ResponseSeries } from './response-series.ts'
import { bytesLeft, type Hedge, type Lease, type LeaseBook } from './leases/lease-book.ts'
import { RangeWriter } from './range-writer.ts'
import type { DownloadRun } from './download-run.ts'
import { ask, leave, RangesRefused, type Passed } from './requests.ts'

/** A response with at most this beyond its lease is read to its end: leaving it would cost its connection (bytes). */
const MIN_DRAIN_BYTES = MIB / 16
const MAX_DRAIN_BYTES = MIB

/** What one connection needs for its work. */
export interface LeaseWork {
  /** The run's signal ends only this work. */
  readonly run: DownloadRun
  readonly identity: ObjectIdentity
  readonly book: LeaseBook
  readonly share: ConnectionShare
  readonly responses: ResponseSeries
}

/**
 * Fetches and writes the bytes of a lease for as long as they belong to it. `first` is the response to its request, if
 * there is one already. Throws what a request or the disk throws, or the reason of the signal. Even then what had
 * arrived is written, and the lease's position is the first byte that is not.
 */
export async function fetchLease(work: LeaseWork, lease: Lease, first: Passed | null): Promise<void> {
  const writer = new RangeWriter(work.run, lease.position)
  const { report, signal } = work.run.context
  // This request is older than the lease, so it would not end by itself when the lease is taken over.
  let ready = first === null ? null : withBody(first, endedBy(signal, first.response.body))
  const tell = progressTeller(work.run, writer)
  report.unit(unitAt(lease.position), 'active')
  try {
    while (bytesLeft(lease) > 0) {
      const askedAtMs =
        ready === null ? work.run.context.deps.clock.monotonicMs() : ready.answeredAtMs - ready.latencyMs
      work.book.ask(lease, ready?.kind === 'range' ? ready.range.end : lease.end, askedAtMs)
      const passed = ready ?? (await askTimed(work, lease))
      ready = null
      await receive(work, lease, writer, passed, tell)
    }
    await writer.flush()
  } finally {
    await writer.settle()
    tell()
    work.book.rewind(lease, writer.position)
  }
}

/** Reports to the retry policy what was written since the last call. */
function progressTeller({ retryPolicy }: DownloadRun, writer: RangeWriter): () => void {
  let told = writer.written
  return () => {
    if (writer.written <= told) return
    retryPolicy.progressed(writer.written - told)
    told = writer.written
  }
}

function withBody(passed: Passed, body: AsyncIterable<Uint8Array>): Passed {
  return { ...passed, response: { ...passed.response, body } }
}

/** Yields the same body until `signal` is aborted, but never leaves it while the reader is still working on a block. */
async function* endedBy(signal: AbortSignal, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const blocks = body[Symbol.asyncIterator]()
  const end = (): void => void blocks.return?.()
  try {
    for (;;) {
      signal.throwIfAborted()
      signal.addEventListener('abort', end, { once: true })
      const next = await blocks.next().finally(() => {
        signal.removeEventListener('abort', end)
      })
      signal.throwIfAborted()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await blocks.return?.()
  }
}

/** Writes bytes of a lease that are here already. Ends like `fetchLease`. */
export async function keepBytes({ run, book }: LeaseWork, lease: Lease, bytes: Uint8Array): Promise<void> {
  const writer = new RangeWriter(run, lease.position)
  try {
    await writer.append(bytes.subarray(0, book.take(lease, bytes.length, run.context.deps.clock.monotonicMs())))
    await writer.flush()
  } finally {
    await writer.settle()
    book.rewind(lease, writer.position)
  }
}

/** Fetches a copy of what a lease lacks. Returns null when that fails, which does the lease no harm. */
export async function fetchCopy({ run, identity, responses }: LeaseWork, hedge: Hedge): Promise<Uint8Array | null> {
  const copy = Buffer.allocUnsafe(rangeLength(hedge))
  let position = 0
  try {
    const passed = await ask(run.context, { start: hedge.start, end: hedge.end }, identity, responses)
    if (passed.kind === 'whole' || rangeLength(passed.range) < copy.length) {
      await leave(passed.response.body)
      return null
    }
    for await (const bytes of passed.response.body) {
      hedge.movedAtMs = run.context.deps.clock.monotonicMs()
      copy.set(bytes.subarray(0, copy.length - position), position)
      position += bytes.length
      if (position > copy.length) break
    }
  } catch {
    return null
  }
  return position < copy.length ? null : copy
}

async function askTimed({ run, identity, share, responses }: LeaseWork, lease: Lease): Promise<Passed> {
  const passed = await ask(run.context, { start: lease.position, end: lease.end }, identity, responses)
  share.answered(passed.latencyMs)
  return passed
}

async function receive(
  { run, book, share }: LeaseWork,
  lease: Lease,
  writer: RangeWriter,
  passed: Passed,
  tellProgress: () => void,
): Promise<void> {
  if (passed.kind === 'whole') {
    await leave(passed.response.body)
    throw new RangesRefused('200 for a range request')
  }
  const { clock } = run.context.deps
  const { report } = run.context
  const { end } = passed.range
  lease.answeredTo = end
  let unit = unitAt(lease.position)
  for await (const bytes of passed.response.body) {
    const nowMs = clock.monotonicMs()
    const announced = end - lease.position
    const taken = book.take(lease, Math.min(bytes.length, announced), nowMs)
    if (taken > 0) {
      share.arrived(taken)
      const reached = unitAt(lease.position - 1)
      if (reached !== unit) report.unit((unit = reached), 'active')
      lease.blockedSinceMs = nowMs
      await writer.append(bytes.subarray(0, taken))
      lease.blockedSinceMs = null
      tellProgress()
    }
    if (bytes.length > announced && bytesLeft(lease) === 0) {
      report.log('The response is longer than announced; ignoring the rest', passed.response.head.requestId)
      return
    }
    if (bytesLeft(lease) === 0 && end - lease.end > drainBytes(lease, nowMs, share.latencyMs)) return
  }
}

/** Reading what comes within two round trips is cheaper than making a new connection. */
function drainBytes(lease: Lease, nowMs: number, latencyMs: number): number {
  const bytes = ((lease.pace.rateAt(nowMs) ?? 0) * 2 * latencyMs) / 1000
  return Math.min(MAX_DRAIN_BYTES, Math.max(MIN_DRAIN_BYTES, bytes))
}
