import { linkSignal } from './linked-signal.ts'

/** Tasks that run at the same time and end together. */
export interface TaskGroup {
  /** Aborted when the group must end. */
  readonly signal: AbortSignal
  /** Adds a running task. Must not be called after the group has ended. */
  spawn(running: Promise<void>): void
  /** Nothing is left to do, so tasks that still wait for something are ended. What they throw then is no failure. */
  end(): void
}

/**
 * Runs what `start` spawns, and what that spawns in turn, at the same time. The first failure stops the others through
 * the group's signal, and is thrown once all have ended. `aside` runs along until the others have ended.
 */
export async function runGroup(
  outer: AbortSignal,
  start: (group: TaskGroup) => void,
  aside: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const halt = linkSignal(outer)
  let first: { readonly failure: unknown } | null = null
  const { signal } = halt
  const watch = (running: Promise<void>): Promise<void> =>
    running.catch((failure: unknown) => {
      if (!signal.aborted) first = { failure }
      halt.abort(failure)
    })
  const end = () => halt.abort(new Error('All tasks of the group have ended'))
  const accompanying = watch(aside(signal))
  await new Promise<void>((resolve) => {
    // `start` itself counts as one: what it spawns may end at once.
    let left = 1
    const leave = () => {
      left -= 1
      if (left === 0) resolve()
    }
    const spawn = (running: Promise<void>) => {
      left += 1
      void watch(running).then(leave)
    }
    start({ signal, spawn, end })
    leave()
  })
  // Also ends `aside`, whose rejection with this reason is no failure.
  end()
  await accompanying
  halt.release()
  outer.throwIfAborted()
  if (first !== null) throw (first as { readonly failure: unknown }).failure
}
