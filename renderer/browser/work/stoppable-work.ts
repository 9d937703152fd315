// Work on lines of a place that takes many requests, and can be stopped and continued. Draws nothing.

import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { RequestError } from '../../bridge.ts'

/** What one request did. */
export interface Step {
  /** The objects that it was done to. */
  readonly count: number
  /** The lines that are completely done with. */
  readonly gone: readonly string[]
  /** Why the rest of what was asked for was not done, as a sentence; null if nothing went wrong. */
  readonly failure: Refusal | null
}

export interface StoppableWork {
  /**
   * Does what is left. After each request, calls `tell` with the number of objects done since the beginning and the
   * lines that are completely done with now. Ends early when `signal` is aborted. Throws a refusal as a sentence.
   * @returns whether everything is done
   */
  run(tell: (done: number, gone: ReadonlySet<string>) => void, signal: AbortSignal): Promise<boolean>
}

/** Takes steps until the work is over. `take` is called only while it isn't. */
export function workInSteps(isOver: () => boolean, take: (signal: AbortSignal) => Promise<Step>): StoppableWork {
  let done = 0
  return {
    async run(tell, signal) {
      while (!signal.aborted && !isOver()) {
        const step = await take(signal).catch((failure: unknown) => {
          if (signal.aborted) return null
          throw failure
        })
        if (step === null) break
        done += step.count
        tell(done, new Set(step.gone))
        if (step.failure !== null) throw new RequestError({ code: 'failed', message: step.failure })
      }
      return isOver()
    },
  }
}
