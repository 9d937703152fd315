/**
 * Lets the parts of a run end that are nearly done. After the call nothing new is begun, and what won't end by
 * `deadlineMs` (monotonic) is given up at once. Settles when the rest has ended and is durable; null if nothing is
 * worth waiting for. Must not throw. The run's signal is aborted afterwards, at the deadline, or at any moment before.
 */
export type Finisher = (deadlineMs: number) => Promise<void> | null

/** How a run takes part in its wind-down, before its signal is aborted, if there is time for that. */
export interface WindDown {
  /**
   * Registers a finisher, which is called at most once, and at once if the run is already being wound down.
   * @returns a function that unregisters it.
   */
  onWindDown(finish: Finisher): () => void
}

/** The side of whoever stops the run. */
export interface WindDownRegistry extends WindDown {
  /**
   * Asks all finishers to finish by `deadlineMs` (monotonic). Settles when they have; null if there is nothing to wait
   * for. Must be called only once.
   */
  begin(deadlineMs: number): Promise<void> | null
}

export function createWindDown(): WindDownRegistry {
  const finishers = new Set<Finisher>()
  const pending = new Set<Promise<void>>()
  let untilMs: number | null = null

  function ask(finish: Finisher, deadlineMs: number): void {
    const ending = finish(deadlineMs)
    if (ending === null) return
    // A failure is the run's own affair; the wait for it is over all the same.
    const ended: Promise<void> = ending
      .catch(() => undefined)
      .finally(() => {
        pending.delete(ended)
      })
    pending.add(ended)
  }

  async function allEnded(): Promise<void> {
    while (pending.size > 0) await Promise.all(pending)
  }

  return {
    onWindDown(finish) {
      if (untilMs === null) finishers.add(finish)
      else ask(finish, untilMs)
      return () => finishers.delete(finish)
    },
    begin(deadlineMs) {
      untilMs = deadlineMs
      for (const finish of finishers) ask(finish, deadlineMs)
      finishers.clear()
      return pending.size === 0 ? null : allEnded()
    },
  }
}

/** Adds up what several runs of the same row let end: each call makes the `finishing` of one more run. */
export function sumFinishing(tell: (units: number | null) => void): () => (units: number | null) => void {
  let sum = 0
  return () => {
    let own = 0
    return (units) => {
      sum += (units ?? 0) - own
      own = units ?? 0
      tell(sum === 0 ? null : sum)
    }
  }
}
