// Notices when a body stands still or crawls while the connection looks alive.

import { TRICKLE_BYTES, TRICKLE_TIMEOUT_MS } from '../../../shared/limits.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { LinkedSignal } from '../async/linked-signal.ts'
import type { Clock } from '../core/deps.ts'

const LOOKS = 4
/** How often a body is looked at, milliseconds. */
export const BODY_LOOK_INTERVAL_MS = TRICKLE_TIMEOUT_MS / LOOKS

/**
 * Returns the same body, but aborts its `request` with a network error if it trickles, and releases it when the body is
 * over. Time in which nobody asks for its bytes does not count. The client notices complete silence sooner.
 */
export function watchedBody(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  request: Pick<LinkedSignal, 'abort' | 'release'>,
): AsyncIterable<Uint8Array> {
  const over = new AbortController()
  let isAsked = false
  let arrivedBytes = 0

  async function watch(): Promise<void> {
    let looks = 0
    let before = 0
    for (;;) {
      await clock.sleep(BODY_LOOK_INTERVAL_MS, over.signal)
      // Several looks in a row, so that a process that stood still itself does not blame the server.
      looks = isAsked ? looks + 1 : 0
      if (looks > 0 && looks < LOOKS) continue
      if (looks === LOOKS && arrivedBytes - before < TRICKLE_BYTES) {
        const trouble = { code: 'answer-stalled', host: null } as const
        return request.abort(new StoreError(STORE_ERROR.network, 'The server is sending next to nothing', { trouble }))
      }
      looks = 0
      before = arrivedBytes
    }
  }

  async function* watched(): AsyncGenerator<Uint8Array, undefined> {
    const watching = watch().catch(() => undefined)
    try {
      isAsked = true
      for await (const bytes of body) {
        isAsked = false
        arrivedBytes += bytes.length
        yield bytes
        isAsked = true
      }
    } finally {
      over.abort(new Error('The body has ended'))
      await watching
      request.release()
    }
  }

  const blocks = watched()
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => blocks.next(),
      // A generator that has not begun would not pass this on.
      async return() {
        await body[Symbol.asyncIterator]().return?.()
        request.release()
        return blocks.return(undefined)
      },
    }),
  }
}
