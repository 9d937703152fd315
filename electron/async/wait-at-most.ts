/** The part of a clock that waiting takes. */
interface Sleeper {
  sleep(delayMs: number, signal: AbortSignal): Promise<void>
}

/**
 * Resolves as `work` does, or with null once `limitMs` milliseconds have passed. Rejects as `work` does. The work goes on
 * all the same.
 */
export async function waitAtMost<T>(limitMs: number, work: Promise<T>, clock: Sleeper): Promise<T | null> {
  const over = new AbortController()
  const none = () => null
  const late = clock.sleep(limitMs, over.signal).then(none, none)
  return Promise.race([work, late]).finally(() => over.abort())
}
