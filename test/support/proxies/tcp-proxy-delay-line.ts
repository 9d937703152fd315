import type { Socket } from 'node:net'

/** More than this under way makes the sender wait. */
const MOST_UNDER_WAY_BYTES = 4 * 1024 * 1024

/** Carries bytes to a socket, each a fixed time after it was pushed. */
export interface DelayLine {
  /** Resolves when more may be pushed. Throws when the socket has ended. */
  push(bytes: Buffer): Promise<void>
  /** Ends the socket's sending side after the last byte. */
  end(): Promise<void>
}

/**
 * `notBeforeMs` is a time of `performance.now()`: what comes sooner leaves then. `count` is told of bytes as they
 * leave.
 */
export function createDelayLine(
  to: Socket,
  delayMs: number,
  notBeforeMs: number,
  count: (bytes: number) => void,
): DelayLine {
  let underWayBytes = 0
  /** Each delivery follows the one before. */
  let last: Promise<void> = Promise.resolve()
  to.on('error', () => undefined)

  async function deliver(bytes: Buffer): Promise<void> {
    if (to.destroyed) throw new Error('The socket has ended')
    const isFull = !to.write(bytes)
    underWayBytes -= bytes.length
    count(bytes.length)
    if (isFull) await drained(to)
  }

  return {
    async push(bytes) {
      if (delayMs === 0) return deliver(bytes)
      underWayBytes += bytes.length
      const dueAtMs = Math.max(performance.now(), notBeforeMs) + delayMs
      last = last.then(() => until(dueAtMs)).then(() => deliver(bytes))
      last.catch(() => undefined)
      while (underWayBytes > MOST_UNDER_WAY_BYTES) await last
    },
    async end() {
      const dueAtMs = performance.now() + delayMs
      await last
      await until(dueAtMs)
      to.end()
    },
  }
}

/** Resolves once the socket takes more, or has closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    socket.on('drain', settle).on('close', settle)
    if (socket.closed) settle()
  })
}

function until(timeMs: number): Promise<void> | undefined {
  const waitMs = timeMs - performance.now()
  return waitMs < 1 ? undefined : new Promise((resolve) => setTimeout(resolve, waitMs))
}
