import type { ByteRange } from '../../../shared/byte-range.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { runGroup } from '../async/task-group.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'
import { unitAt } from '../partial-file/claim-ledger.ts'
import { ResponseSeries } from './response-series.ts'
import { keepDurable, withSignal } from './fetch-ranges.ts'
import { RangeWriter } from './range-writer.ts'
import type { DownloadRun } from './download-run.ts'
import { ask, leave, rangeNotAnswered, RangesRefused, retryOrThrow } from './requests.ts'
import { sizeOf, type ContentResponse } from './response-check.ts'

/** After this many responses in a row that end at the same byte, the next one would end there, too. */
const MOST_SAME_ENDS = 5

/**
 * Fetches all missing bytes from responses with the whole object, for a service that ignores ranges. Skips bytes that
 * are here already. `first` is such a response, if there is one to begin with.
 */
export async function streamMissing(
  run: DownloadRun,
  identity: ObjectIdentity,
  first: ContentResponse | null,
): Promise<void> {
  await runGroup(
    run.context.signal,
    ({ signal, spawn }) => spawn(readMissing(withSignal(run, signal), identity, first)),
    (signal) => keepDurable(run, signal),
  )
}

async function readMissing(run: DownloadRun, identity: ObjectIdentity, first: ContentResponse | null): Promise<void> {
  let ready = first
  await persistently(run, async (attempt) => {
    const response = ready ?? (await ask(run.context, null, identity, attempt.series)).response
    ready = null
    await receiveMissing(run, response, attempt)
    return run.claims.missing().length === 0
  })
}

async function receiveMissing(run: DownloadRun, response: ContentResponse, attempt: Attempt): Promise<void> {
  const missing = run.claims.missing()
  const last = missing.at(-1)
  if (last === undefined) return await leave(response.body)
  const { limiter, signal } = run.context
  let writer = new RangeWriter(run, missing[0]?.start ?? 0)
  let offset = 0
  try {
    for await (const bytes of response.body) {
      // Skipped bytes have crossed the wire as well.
      let skippedBytes = bytes.length
      for (const wanted of overlaps(missing, offset, bytes)) {
        skippedBytes -= wanted.bytes.length
        if (wanted.start !== writer.position) {
          await writer.flush()
          writer = new RangeWriter(run, wanted.start)
        }
        run.context.report.unit(unitAt(wanted.start), 'active')
        await writer.append(wanted.bytes)
        run.retryPolicy.progressed(wanted.bytes.length)
      }
      if (skippedBytes > 0) await limiter.take(skippedBytes, signal)
      attempt.readBytes = offset += bytes.length
      if (offset >= last.end) break
    }
    await writer.flush()
  } finally {
    await writer.settle()
    await run.claims.commit()
  }
  if (offset < last.end) throw endedEarly(response)
}

/** Yields the slices of `bytes`, which begin at `offset`, that lie in `missing`. */
function* overlaps(missing: readonly ByteRange[], offset: number, bytes: Uint8Array) {
  for (const range of missing) {
    if (range.start >= offset + bytes.length) return
    if (range.end <= offset) continue
    const start = Math.max(range.start, offset)
    yield { start, bytes: bytes.subarray(start - offset, range.end - offset) }
  }
}

/**
 * Fetches an object that can't be continued because its size is unknown or nothing identifies its version (no strong
 * ETag). Each try starts from nothing, so all bytes are from one response. Returns the identity from the last response.
 */
export async function streamFromStart(run: DownloadRun, first: ContentResponse | null): Promise<ObjectIdentity> {
  const { report, signal } = run.context
  report.facts({ keepsNothing: true })
  let ready = first
  let furthest = 0
  let identity: ObjectIdentity | null = null
  await persistently(run, async (attempt) => {
    const response = ready ?? (await ask(run.context, null, null, attempt.series)).response
    ready = null
    run.claims.withdraw()
    await run.file.truncate(0).catch(async (failure: unknown) => {
      await leave(response.body)
      throw failure
    })
    const sizeBytes = sizeOf(response)
    if (sizeBytes !== null) report.size(sizeBytes)
    const writer = new RangeWriter(run, 0)
    let isOpenEnded = false
    try {
      for await (const bytes of response.body) {
        await writer.append(bytes)
        attempt.readBytes = writer.position
        // Bytes that came before are no progress: a connection that always breaks would never be given up.
        run.retryPolicy.progressed(writer.position - furthest)
        furthest = Math.max(furthest, writer.position)
      }
      await writer.flush()
      if ((sizeBytes ?? writer.position) !== writer.position) throw endedEarly(response)
      isOpenEnded =
        response.endsWithConnection === true && sizeBytes === null && (await lacksSize(run, response, writer))
    } catch (failure) {
      await writer.settle()
      // No other response can continue these bytes.
      run.claims.dropUnclaimed()
      if (signal.aborted) report.dropped(writer.position)
      throw failure
    }
    const { etag, lastModified } = response.head
    identity = { sizeBytes: writer.position, etag, lastModified, isWeak: true, ...(isOpenEnded ? { isOpenEnded } : {}) }
    await run.claims.commit()
    return true
  })
  if (identity === null) throw new Error('The whole object was read, but its identity is missing')
  return identity
}

/**
 * Whether nothing tells the size of an object whose body ended with its connection. Throws when a HEAD tells another
 * size than what arrived.
 */
async function lacksSize(
  { context }: DownloadRun,
  response: ContentResponse,
  { position }: RangeWriter,
): Promise<boolean> {
  const { store, record, signal } = context
  const told = await store.headObject({ key: record.key, signal }).catch(() => null)
  signal.throwIfAborted()
  if (told === null || told.sizeBytes === null) return true
  if (told.sizeBytes !== position) throw endedEarly(response)
  return false
}

/** One of several tries to read an object from its beginning. */
interface Attempt {
  readonly series: ResponseSeries
  /** How much of the object this try has read. */
  readBytes: number
}

/**
 * Tries until `attempt` returns true, waiting after each failure as it demands. Throws `ends-early` when the responses
 * end at the same byte again and again: that is no accident of the line.
 */
async function persistently(run: DownloadRun, attempt: (attempt: Attempt) => Promise<boolean>): Promise<void> {
  const series = new ResponseSeries()
  let furthest = 0
  let [endedAt, sameEnds] = [0, 0]
  for (;;) {
    const current: Attempt = { series, readBytes: 0 }
    try {
      if (await attempt(current)) return
    } catch (failure) {
      const { readBytes } = current
      if (readBytes > 0) sameEnds = readBytes === endedAt ? sameEnds + 1 : 1
      if (readBytes > 0) endedAt = readBytes
      const isCut = failure instanceof StoreError && failure.code === STORE_ERROR.network
      if (isCut && readBytes > 0 && sameEnds === MOST_SAME_ENDS && !run.context.signal.aborted) {
        throw new TransferError('ends-early', `${sameEnds} responses ended after ${readBytes} bytes`, {
          cause: failure,
        })
      }
      const isVain = readBytes <= furthest
      furthest = Math.max(furthest, readBytes)
      await retryOrThrow(run.context, run.retryPolicy, failure, isVain).catch((end: unknown) => {
        throw end instanceof RangesRefused ? rangeNotAnswered(end) : end
      })
    }
  }
}

function endedEarly(response: ContentResponse): StoreError {
  return new StoreError(STORE_ERROR.network, 'The response ended early', { requestId: response.head.requestId })
}
