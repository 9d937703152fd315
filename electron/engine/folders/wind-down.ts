import { abortOf } from '../async/abort-of.ts'
import type { WorkQueue } from '../async/work-queue.ts'
import type { RunReporter } from '../core/run.ts'
import { sumFinishing, type WindDown } from '../core/wind-down.ts'
import type { RequestSlots } from './request-slots.ts'

/** Winds a folder run down: it takes no more items, and lets requests for small ones that are under way end. */
export interface FolderWindDown {
  /** Makes the `finishing` of one of the folder's inner runs. All of them count together. */
  readonly finishing: () => RunReporter['finishing']
  /** Wraps slots: once the run is wound down, none is given out any more. */
  slots(slots: RequestSlots): RequestSlots
  /** Wraps a queue: once the run is wound down, it hands out nothing any more. */
  queue<T>(queue: WorkQueue<T>): WorkQueue<T>
}

/** @param signal ends the run, and the waits for a slot or an item. */
export function createFolderWindDown(
  { windDown, report }: { readonly windDown: WindDown; readonly report: Pick<RunReporter, 'finishing'> },
  signal: AbortSignal,
): FolderWindDown {
  const finishing = sumFinishing((units) => report.finishing(units))
  const tellOwn = finishing()
  let running = 0
  let isWoundDown = false
  let allEnded = (): void => undefined

  windDown.onWindDown(() => {
    isWoundDown = true
    if (running === 0) return null
    tellOwn(running)
    return new Promise((resolve) => (allEnded = resolve))
  })

  async function turnOf(slots: RequestSlots, turn: Promise<void>, bytes: number | undefined): Promise<void> {
    await turn
    if (isWoundDown) {
      slots.leave(bytes)
      return abortOf(signal)
    }
    running += 1
  }

  return {
    finishing,
    slots: (slots) => ({
      most: slots.most,
      get limit() {
        return slots.limit
      },
      refused: () => slots.refused(),
      answered: (latencyMs) => slots.answered(latencyMs),
      arrived: (bytes) => slots.arrived(bytes),
      enter(bytes) {
        if (isWoundDown) return abortOf(signal)
        const turn = slots.enter(bytes)
        if (turn !== undefined) return turnOf(slots, turn, bytes)
        running += 1
        return undefined
      },
      leave(bytes) {
        slots.leave(bytes)
        running -= 1
        if (!isWoundDown) return
        tellOwn(running)
        if (running === 0) allEnded()
      },
    }),
    queue: (queue) => ({
      ...queue,
      async take() {
        const item = await queue.take()
        return isWoundDown && item !== null ? abortOf(signal) : item
      },
    }),
  }
}
