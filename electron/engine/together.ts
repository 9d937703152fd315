import { setMaxListeners } from 'node:events'

/**
 * Runs what `start` gives at the same time. The first failure stops the others through the signal that `start` was
 * given, and is thrown once all have ended. `aside` runs along until the others have ended.
 */
export async function together(
  outer: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<void>[],
  aside: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const halt = new AbortController()
  let first: { readonly failure: unknown } | null = null
  const signal = AbortSignal.any([outer, halt.signal])
  // Each of many connections listens several times over; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  const watch = (running: Promise<void>): Promise<void> =>
    running.catch((failure: unknown) => {
      if (!signal.aborted) first = { failure }
      halt.abort(failure)
    })
  const accompanying = watch(aside(signal))
  await Promise.all(start(signal).map(watch))
  // Also ends `aside`, whose rejection with this reason is no failure.
  halt.abort(new Error('All have ended'))
  await accompanying
  outer.throwIfAborted()
  if (first !== null) throw (first as { readonly failure: unknown }).failure
}
