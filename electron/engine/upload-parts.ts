import { assert } from '../../shared/assert.ts'
import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import { partRange } from './plan.ts'
import { PROGRESS_BYTES } from './retry.ts'
import { sendProven, type SentRange } from './upload-send.ts'
import type { PlannedUpload } from './upload-session.ts'

/** Hashes of this many parts are computed before their turn to be sent. */
const HASHES_AHEAD = 2
/** Requests at a time where no number is given. */
const UNFIXED_CONNECTIONS = 4

/**
 * Sends parts of an open upload, several at a time, in order. Each counts once the checkpoint has it for good.
 * Throws the first failure after every request has ended; what was acknowledged by then is kept.
 */
export async function sendParts(
  upload: PlannedUpload,
  uploadId: string,
  partNumbers: readonly number[],
): Promise<void> {
  const { context, stop } = upload.run
  const md5At = hashAhead(upload, partNumbers)
  const kept: Promise<void>[] = []
  let next = 0

  async function sendInTurn(): Promise<void> {
    for (;;) {
      const index = next
      const partNumber = partNumbers[index]
      if (partNumber === undefined) return
      next += 1
      const sent = await sendPart(upload, uploadId, partNumber, md5At(index))
      const keeping = keepPart(upload, partNumber, sent)
      keeping.catch(stop)
      kept.push(keeping)
    }
  }

  const requests = typeof context.connections === 'number' ? context.connections : UNFIXED_CONNECTIONS
  const connections = Array.from({ length: Math.min(requests, partNumbers.length) }, sendInTurn)
  for (const connection of connections) connection.catch(stop)
  await Promise.allSettled(connections)
  await Promise.allSettled(kept)
  context.signal.throwIfAborted()
}

async function sendPart(
  upload: PlannedUpload,
  uploadId: string,
  partNumber: number,
  md5OfPart: Promise<string>,
): Promise<SentRange> {
  const { context, patience } = upload.run
  const { key } = context.record
  for (;;) {
    context.report.unit(partNumber - 1, 'active')
    try {
      const sent = await sendProven(upload, rangeOf(upload, partNumber), md5OfPart, (request) =>
        context.store.uploadPart({ key, uploadId, partNumber, ...request }),
      )
      patience.progressed(Math.max(PROGRESS_BYTES, rangeLength(rangeOf(upload, partNumber))))
      return sent
    } catch (failure) {
      context.report.unit(partNumber - 1, context.signal.aborted ? 'waiting' : 'retrying')
      await patience.waitAfter(failure)
    }
  }
}

/** Writes may trail the requests: they share commits, and no connection waits for the disk. */
async function keepPart(upload: PlannedUpload, partNumber: number, sent: SentRange): Promise<void> {
  const { context, record } = upload.run
  const sizeBytes = rangeLength(rangeOf(upload, partNumber))
  await context.deps.checkpoints.putParts(record.id, [{ partNumber, sizeBytes, ...sent }])
  upload.run.confirmPart({ partNumber, sizeBytes }, 'moved', 'done')
}

/** Starts hashes in the order of sending, a few parts before they are needed. */
function hashAhead(upload: PlannedUpload, partNumbers: readonly number[]): (index: number) => Promise<string> {
  const { source, run } = upload
  const started: Promise<string>[] = []
  return (index) => {
    for (const partNumber of partNumbers.slice(started.length, index + 1 + HASHES_AHEAD)) {
      const md5 = source.md5(rangeOf(upload, partNumber), run.context.signal)
      // A failure is thrown where the part is sent; until then nobody listens.
      md5.catch(() => undefined)
      started.push(md5)
    }
    const md5 = started[index]
    assert(md5 !== undefined, 'parts are sent in order')
    return md5
  }
}

function rangeOf({ plan, source }: PlannedUpload, partNumber: number): ByteRange {
  return partRange(plan, source.identity.sizeBytes, partNumber)
}
