// A download in ranges over several connections, down to the last missing byte. Calls `range-workers.ts`.

import type { ByteRange } from '../../../shared/byte-range.ts'
import { WRITE_BLOCK_BYTES, WRITE_BLOCK_MS } from '../../../shared/limits.ts'
import { runGroup } from '../async/task-group.ts'
import { totalLength } from '../core/byte-ranges.ts'
import type { ObjectIdentity } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import { fixedShare } from '../line/fixed-share.ts'
import { createRetryPolicy } from '../retry/create-retry-policy.ts'
import { FIRST_LEASE_BYTES } from './leases/lease-policy.ts'
import { RangeWorkers } from './range-workers.ts'
import { sharingDisk, type DownloadRun } from './download-run.ts'
import type { Passed } from './requests.ts'

/** How often waiting bytes, idle connections and slow leases are checked, milliseconds. */
const LOOK_INTERVAL_MS = 100

/** The range that the first request of a download asks for; null when nothing is missing. */
export function firstLease(missing: readonly ByteRange[]): ByteRange | null {
  const [lowest] = missing
  return lowest === undefined
    ? null
    : { start: lowest.start, end: Math.min(lowest.end, lowest.start + FIRST_LEASE_BYTES) }
}

/**
 * Fetches all missing bytes by ranges, lowest first, over as many connections as pay. `first` is the response to the
 * first lease, if there is one already. Throws RangesRefused, ObjectChanged, SyncFailed, TransferError or the reason of
 * a stop; whatever has arrived by then is written.
 */
export async function fetchLeases(run: DownloadRun, identity: ObjectIdentity, first: Passed | null): Promise<void> {
  const { connections, store } = run.context
  let workers: RangeWorkers | null = null
  const share =
    typeof connections === 'number' ? fixedShare(connections) : connections.join(store.host, () => workers?.pump())
  try {
    await runGroup(
      run.context.signal,
      (group) => {
        workers = new RangeWorkers(withSignal(run, group.signal), identity, share, group)
        workers.begin(first)
      },
      async (signal) => {
        await Promise.all([keepDurable(run, signal), watchWorkers(run, signal, () => workers)])
      },
    )
  } finally {
    workers = null
    share.leave()
  }
}

/** Returns the same run bound to `signal`: when that is aborted, the run ends and waits no longer. */
export function withSignal(run: DownloadRun, signal: AbortSignal): DownloadRun {
  const context = { ...run.context, signal }
  const own = sharingDisk(createRetryPolicy(context), run)
  const reached = run.reach.begin()
  reached(totalLength(run.claims.claims))
  const retryPolicy: RetryPolicy = {
    ...own,
    progressed(bytes) {
      own.progressed(bytes)
      // The run's own policy must not take this time for idle.
      reached(bytes)
    },
  }
  return { ...run, context, retryPolicy }
}

/**
 * Writes gathered bytes that have waited long enough, and notes and claims what is written, even while nothing arrives.
 * Ends by throwing the reason of `signal`.
 */
export async function keepDurable({ context, claims, gathering }: DownloadRun, signal: AbortSignal): Promise<never> {
  for (;;) {
    await context.deps.clock.sleep(LOOK_INTERVAL_MS, signal)
    const gatheredBytes = [...gathering].reduce((sum, writer) => sum + writer.gatheredBytes, 0)
    // A commit that is due includes what is written first. Many connections soon hold a block between them.
    const ageMs = claims.isDue || gatheredBytes > WRITE_BLOCK_BYTES ? 0 : WRITE_BLOCK_MS
    await Promise.all([...gathering].map((writer) => writer.writeGatheredSince(ageMs)))
    claims.note()
    await claims.commitWhenDue()
  }
}

async function watchWorkers(run: DownloadRun, signal: AbortSignal, workers: () => RangeWorkers | null): Promise<never> {
  for (;;) {
    await run.context.deps.clock.sleep(LOOK_INTERVAL_MS, signal)
    workers()?.look()
  }
}
