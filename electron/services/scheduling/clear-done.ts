import type { ClearsDone } from '../../../shared/settings.ts'
import { isFinal, type TransferId, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'

/** How often the list is looked through, milliseconds. */
const CLEAR_EVERY_MS = 600_000

const DAY_MS = 86_400_000

/** Longest time that a finished row stays, milliseconds. */
const STAYS_MS: Readonly<Record<ClearsDone, number>> = {
  never: Infinity,
  day: DAY_MS,
  week: 7 * DAY_MS,
  closing: Infinity,
}

export interface Clearing {
  /** Takes off what is finished for longer than is wanted. Never rejects. */
  readonly clear: () => Promise<void>
  /** Does so now, and every ten minutes from now on. Never rejects. */
  readonly start: () => Promise<void>
  /** Stops that; takes off all that is finished, where that is wanted when the app closes. Never rejects. */
  readonly close: () => Promise<void>
}

/** Takes finished rows off the list as the settings say. It is rows that go, never files. */
export function createClearing(
  engine: Pick<Engine, 'snapshot' | 'clear'>,
  wanted: () => ClearsDone,
  nowMs: () => number,
): Clearing {
  const takeOff = async (staysMs: number): Promise<void> => {
    if (staysMs === Infinity) return
    const ids = finishedBefore(engine.snapshot().rows, nowMs() - staysMs)
    // What can't be taken off now is looked at again.
    if (ids.length > 0) await engine.clear(ids).catch(() => undefined)
  }
  const clear = (): Promise<void> => takeOff(STAYS_MS[wanted()])
  let timer: NodeJS.Timeout | undefined
  return {
    clear,
    start() {
      timer = setInterval(() => void clear(), CLEAR_EVERY_MS)
      return clear()
    },
    close() {
      clearInterval(timer)
      return takeOff(wanted() === 'closing' ? 0 : Infinity)
    },
  }
}

/** Completed and canceled rows that ended at `atMs` or before. Pure. */
function finishedBefore(rows: readonly TransferRow[], atMs: number): readonly TransferId[] {
  return rows
    .filter(({ status, finishedAtMs }) => isFinal(status) && (finishedAtMs ?? Infinity) <= atMs)
    .map(({ id }) => id)
}
