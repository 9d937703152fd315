import { setMaxListeners } from 'node:events'

/** A signal that ends with another one, or by itself. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Lets go of the other one. Call it when nothing is left that `signal` could end. */
  release(): void
}

/**
 * A signal that ends with `outer`, until it is released. Used in place of `AbortSignal.any`: Node 20 keeps each of
 * those that has a listener left in a set of the process, and for each a reference in the signals it is made of.
 */
export function linkSignal(outer: AbortSignal): LinkedSignal {
  const own = new AbortController()
  const pass = (): void => own.abort(outer.reason)
  // Each of many connections listens several times over; Node takes more than ten listeners for a leak.
  setMaxListeners(0, outer, own.signal)
  if (outer.aborted) pass()
  else outer.addEventListener('abort', pass, { once: true })
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => outer.removeEventListener('abort', pass),
  }
}
