import { setMaxListeners } from 'node:events'

/** A signal that is aborted with another one, or by itself. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  /** Detaches it from the other signal. Must be called when nothing is left that `signal` could end. */
  release(): void
}

/**
 * A signal that is aborted with `outer` until it is released. Used in place of `AbortSignal.any`: Node 20 keeps each
 * such signal that has a listener in a process-wide set, and a reference to each in the signals that it is made of.
 */
export function linkSignal(outer: AbortSignal): LinkedSignal {
  const own = new AbortController()
  const pass = (): void => own.abort(outer.reason)
  // Many connections add several listeners each, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, outer, own.signal)
  if (outer.aborted) pass()
  else outer.addEventListener('abort', pass, { once: true })
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => outer.removeEventListener('abort', pass),
  }
}
