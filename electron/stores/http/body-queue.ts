import type { Dispatcher } from 'undici'

/** Bytes that may wait for their reader before the socket is no longer read. */
const HIGH_WATER_BYTES = 256 * 1024

/** An answer's body between the connection, which pushes, and its one reader, which pulls. */
export interface BodyQueue {
  readonly iterator: AsyncIterableIterator<Uint8Array>
  attach(controller: Dispatcher.DispatchController): void
  push(bytes: Uint8Array): void
  end(): void
  /** The reader gets what is queued, then this. */
  fail(error: Error): void
}

/** Creates the queue of one answer. `onLeft` is called when the reader leaves before the end. */
export function createBodyQueue(onLeft: () => void): BodyQueue {
  let queued: Uint8Array[] = []
  let queuedBytes = 0
  let controller: Dispatcher.DispatchController | null = null
  let outcome: { readonly error: Error | null } | null = null
  let isLeft = false
  let wake = () => {}

  async function next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const bytes = isLeft ? undefined : queued.shift()
      if (bytes !== undefined) {
        queuedBytes -= bytes.length
        return { done: false, value: bytes }
      }
      if (isLeft || outcome !== null) {
        const error = isLeft ? null : outcome?.error
        isLeft = true
        if (error) throw error
        return { done: true, value: undefined }
      }
      const pushed = new Promise<void>((resolve) => (wake = resolve))
      controller?.resume()
      await pushed
    }
  }

  return {
    iterator: {
      next,
      return() {
        if (!isLeft && outcome === null) onLeft()
        isLeft = true
        queued = []
        wake()
        return Promise.resolve({ done: true, value: undefined })
      },
      [Symbol.asyncIterator]() {
        return this
      },
    },
    attach: (attached) => void (controller = attached),
    push(bytes) {
      queued.push(bytes)
      queuedBytes += bytes.length
      if (queuedBytes >= HIGH_WATER_BYTES) controller?.pause()
      wake()
    },
    end() {
      outcome ??= { error: null }
      wake()
    },
    fail(error) {
      outcome ??= { error }
      wake()
    },
  }
}
