import type { ByteRange } from '../../../shared/byte-range.ts'
import type { DownloadRecord, ObjectIdentity } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { RunContext } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import { ResponseSeries } from './response-series.ts'
import { firstLease } from './fetch-ranges.ts'
import { RANGES_REFUSED } from './service-notes.ts'
import { ask, leave, rangeNotAnswered, RangesRefused, retryOrThrow, type Passed } from './requests.ts'
import { identityOf, isSameObject } from './response-check.ts'

type Context = RunContext<DownloadRecord>

/** What an earlier run left: the version it is bound to, and what of that is missing. */
interface Begun {
  readonly identity: ObjectIdentity
  readonly missing: readonly ByteRange[]
}

/** The first response, and the version it binds the download to: null when nothing tells that from another version. */
export interface Probed {
  readonly first: Passed
  readonly bound: ObjectIdentity | null
}

/** Sends the first request: for the lowest missing bytes, which are used, or for one byte to see that nothing changed. */
export async function probe(context: Context, retryPolicy: RetryPolicy, begun: Begun | null): Promise<Probed> {
  const { record } = context
  if (record.isRelinked !== true || begun === null) {
    const first = await firstResponse(context, retryPolicy, begun, begun?.identity ?? null)
    return { first, bound: begun?.identity ?? identityOf(first.response) }
  }
  const first = await firstResponse(context, retryPolicy, begun, null)
  return { first, bound: await confirmSame(context, begun.identity, first) }
}

async function firstResponse(
  context: Context,
  retryPolicy: RetryPolicy,
  begun: Begun | null,
  expected: ObjectIdentity | null,
): Promise<Passed> {
  const { deps, record } = context
  const range = firstLease(begun?.missing ?? [{ start: 0, end: Infinity }]) ?? { start: 0, end: 1 }
  const isKnownToRefuse = await RANGES_REFUSED.has(deps, record.location)
  // With bytes here already, it is worth trying again whether ranges work.
  if (begun !== null || !isKnownToRefuse) {
    try {
      const first = await askWithRetry(context, retryPolicy, range, expected)
      if (first.kind === 'range' && isKnownToRefuse) await RANGES_REFUSED.forget(deps, record.location)
      if (isRefusal(first, range)) await RANGES_REFUSED.note(deps, record.location)
      return first
    } catch (failure) {
      if (!(failure instanceof RangesRefused)) throw failure
    }
  }
  try {
    return await askWithRetry(context, retryPolicy, null, expected)
  } catch (failure) {
    throw failure instanceof RangesRefused ? rangeNotAnswered(failure) : failure
  }
}

/** A cache that must fetch the object first may send all of it once, but then it says that it accepts ranges. */
function isRefusal({ kind, response }: Passed, asked: ByteRange): boolean {
  if (kind === 'range' || response.head.acceptsRanges === true) return false
  return asked.start > 0 || asked.end < (response.contentLength ?? Infinity)
}

async function askWithRetry(
  context: Context,
  retryPolicy: RetryPolicy,
  asked: ByteRange | null,
  expected: ObjectIdentity | null,
): Promise<Passed> {
  const series = new ResponseSeries()
  for (;;) {
    try {
      return await ask(context, asked, expected, series)
    } catch (failure) {
      await retryOrThrow(context, retryPolicy, failure)
    }
  }
}

/** Confirms that a fresh link leads to the object that was begun, perhaps with another time; else touches nothing. */
async function confirmSame(context: Context, begun: ObjectIdentity, { response }: Passed): Promise<ObjectIdentity> {
  const { deps, record, report } = context
  const found = identityOf(response)
  if (found === null || !isSameObject(begun, found)) {
    await leave(response.body)
    const detail = `${JSON.stringify(found ?? response.head.etag)} instead of ${JSON.stringify(begun)}`
    throw new TransferError('another-object', detail, { requestId: response.head.requestId })
  }
  await deps.checkpoints.update(record.id, { identity: found, isRelinked: false })
  report.log('The fresh link leads to the same object; continuing the download')
  return found
}
