/**
 * Lets what is nearly there of a run end. From its call on nothing new is begun; what won't end by `deadlineMs`
 * (monotonic) is given up at once. Settles when all that is let end has ended and is durable; null: nothing is worth
 * waiting for. It must not throw. The run's signal is aborted afterwards, or at the deadline, or at any moment before.
 */
export type Finisher = (deadlineMs: number) => Promise<void> | null

/** How a run takes part in being wound down: before its signal is aborted, where there is time for that. */
export interface WindDown {
  /**
   * Registers what is asked to finish, once at most; of a run that is being wound down already, at once.
   * @returns what takes it back.
   */
  onWindDown(finish: Finisher): () => void
}

/** The other side of it: who stops the run. */
export interface WindDownRegistry extends WindDown {
  /**
   * Asks all to finish by `deadlineMs` (monotonic). Settles when they have; null: there is nothing to wait for. Call it
   * once.
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
    // What could not be let end is the run's own affair; the wait for it is over all the same.
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

/** Adds up what several runs that are one row let end: each call makes the `finishing` of one more of them. */
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
