import type { ByteRange } from '../../shared/byte-range.ts'
import { COMMIT_INTERVAL_MS, SEGMENT_SIZE_BYTES } from '../../shared/limits.ts'
import { splitAtUnits } from './byte-ranges.ts'
import type { ObjectIdentity } from './checkpoint/checkpoint.ts'
import { unitAt } from './claim-ledger.ts'
import { ask, leave, RangesRefused, weather, type DownloadRun, type Passed } from './download-requests.ts'
import { createPatience } from './retry.ts'
import { Stretch } from './download-stretch.ts'
import { together } from './together.ts'

/** The first request of a download asks for this range of what is missing. */
export function firstSegment(missing: readonly ByteRange[]): ByteRange | null {
  return splitAtUnits(missing.slice(0, 1), SEGMENT_SIZE_BYTES)[0] ?? null
}

/**
 * Fetches all that is missing by ranges, lowest first, over the connections of the run. `first` answers the first
 * segment already. Throws RangesRefused, ObjectChanged, SyncFailed, TransferError or the reason of a stop; what has
 * arrived until then is written.
 */
export async function fetchSegments(run: DownloadRun, identity: ObjectIdentity, first: Passed | null): Promise<void> {
  const queue = splitAtUnits(run.claims.missing(), SEGMENT_SIZE_BYTES)
  let ready = first
  const work = async (inner: DownloadRun): Promise<void> => {
    for (let segment = queue.shift(); segment !== undefined; segment = queue.shift()) {
      const answer = ready
      ready = null
      await fetchSegment(inner, identity, segment, answer)
    }
  }
  await together(
    run.context.signal,
    (signal) => {
      const inner = withSignal(run, signal)
      return Array.from({ length: Math.min(run.context.connections, queue.length) }, () => work(inner))
    },
    (signal) => commitRegularly(run, signal),
  )
}

/** The same run, ending and no longer waiting when `signal` is aborted. */
export function withSignal(run: DownloadRun, signal: AbortSignal): DownloadRun {
  const context = { ...run.context, signal }
  return { ...run, context, patience: createPatience(context) }
}

/** Ends with the reason of `signal`. */
export async function commitRegularly(run: DownloadRun, signal: AbortSignal): Promise<never> {
  for (;;) {
    await run.context.deps.clock.sleep(COMMIT_INTERVAL_MS, signal)
    await run.claims.commitWhenDue()
  }
}

/** A broken or stalled connection costs only what had not arrived. */
async function fetchSegment(
  run: DownloadRun,
  identity: ObjectIdentity,
  segment: ByteRange,
  first: Passed | null,
): Promise<void> {
  const { context, patience } = run
  const unit = unitAt(segment.start)
  const stretch = new Stretch(run, segment.start)
  const series = { unusable: 0 }
  let ready = first
  context.report.unit(unit, 'active')
  while (stretch.position < segment.end) {
    try {
      const passed = ready ?? (await ask(context, { start: stretch.position, end: segment.end }, identity))
      ready = null
      await receive(run, stretch, passed)
      series.unusable = 0
    } catch (failure) {
      await stretch.settle()
      context.report.unit(unit, 'retrying')
      try {
        await weather(context, patience, failure, series)
      } catch (end) {
        context.report.unit(unit, 'waiting')
        throw end
      }
      context.report.unit(unit, 'active')
    }
  }
}

async function receive(run: DownloadRun, stretch: Stretch, passed: Passed): Promise<void> {
  if (passed.kind === 'whole') {
    await leave(passed.answer.body)
    throw new RangesRefused('200 to a request for a range')
  }
  const { answer, range } = passed
  for await (const bytes of answer.body) {
    const wanted = bytes.subarray(0, range.end - stretch.position)
    await stretch.append(wanted)
    run.patience.progressed(wanted.length)
    if (wanted.length < bytes.length) {
      run.context.report.log('The answer is longer than it announced; the rest is left', answer.head.requestId)
      break
    }
  }
  await stretch.flush()
}
