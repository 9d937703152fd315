import { linkSignal } from '../../async/linked-signal.ts'
import { blockBytesUnder, type RateLimiter } from '../../core/rate-limiter.ts'
import type { BodyToSend, Sending, UploadLine } from '../../core/upload-line.ts'

/** What a request over a line gets. */
export interface LineTurn {
  /** The body waits for its turn here before each slice. */
  readonly sending: Sending
  readonly onSent: (bytes: number) => void
  /** Also aborted when the line finds that the body stands still for no reason. */
  readonly signal: AbortSignal
}

/**
 * Sends one body over a line when its turn comes. Its bytes are reported as they move, in full once the body is
 * answered, and are taken back if it fails. Throws what `send` throws, a LateResponse, or the reason of `outer`.
 */
export async function sendOver<Sent>(
  line: UploadLine,
  body: BodyToSend,
  outer: AbortSignal,
  send: (turn: LineTurn) => Promise<Sent>,
): Promise<Sent> {
  const sending = await line.enter(body, outer)
  const request = linkSignal(outer)
  const giveUp = (): void => request.abort(sending.late.reason)
  sending.late.addEventListener('abort', giveUp, { once: true })
  try {
    const sent = await send({ sending, onSent: (bytes) => sending.handed(bytes), signal: request.signal })
    sending.answered()
    return sent
  } finally {
    sending.end()
    sending.late.removeEventListener('abort', giveUp)
    // Readers that still wait to feed the body end with its request and release their memory.
    request.abort(new Error('The request is over'))
    request.release()
  }
}

/** Waits for the bandwidth limit, then for the turn of the next slice. Returns null if it may go at once. */
export function nextSlice(
  sending: Sending,
  limiter: RateLimiter,
  bytes: number,
  signal: AbortSignal,
): Promise<void> | null {
  const allowed = limiter.take(bytes, signal)
  if (allowed === null) return sending.turn(bytes, signal)
  return sending.heldBack(allowed).then(() => sending.turn(bytes, signal) ?? undefined)
}

/** Gives out bytes of a body in slices, each once the bandwidth limit and the line let it go. Throws `signal.reason`. */
export async function* inSlices(
  bytes: Uint8Array,
  sending: Sending,
  limiter: RateLimiter,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  for (let from = 0; from < bytes.length;) {
    const sliceBytes = Math.min(sending.sliceBytes, blockBytesUnder(limiter.limitBytesPerSecond))
    const slice = bytes.subarray(from, from + sliceBytes)
    const turn = nextSlice(sending, limiter, slice.length, signal)
    if (turn !== null) await turn
    from += slice.length
    yield slice
  }
}
