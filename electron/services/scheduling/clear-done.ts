import type { ClearsDone } from '../../../shared/settings.ts'
import { isFinal, type TransferId, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'

/** How often finished rows are looked for, milliseconds. */
const CLEAR_EVERY_MS = 600_000

const DAY_MS = 86_400_000

/** The longest that a finished row stays, milliseconds. */
const STAYS_MS: Readonly<Record<ClearsDone, number>> = {
  never: Infinity,
  day: DAY_MS,
  week: 7 * DAY_MS,
  closing: Infinity,
}

export interface Clearing {
  /** Removes rows that finished longer ago than the setting allows. Never rejects. */
  readonly clear: () => Promise<void>
  /** Calls `clear` now and then every ten minutes. Never rejects. */
  readonly start: () => Promise<void>
  /** Stops that. Removes all finished rows if the setting says so for closing. Never rejects. */
  readonly close: () => Promise<void>
}

/** Removes finished rows from the list as the settings say. It removes only rows, never files. */
export function createClearing(
  engine: Pick<Engine, 'snapshot' | 'clear'>,
  wanted: () => ClearsDone,
  nowMs: () => number,
): Clearing {
  const takeOff = async (staysMs: number): Promise<void> => {
    if (staysMs === Infinity) return
    const ids = finishedBefore(engine.snapshot().rows, nowMs() - staysMs)
    // Rows that can't be removed now are tried again next time.
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

/** The rows in a final state that ended at `atMs` or before. Pure. */
function finishedBefore(rows: readonly TransferRow[], atMs: number): readonly TransferId[] {
  return rows
    .filter(({ status, finishedAtMs }) => isFinal(status) && (finishedAtMs ?? Infinity) <= atMs)
    .map(({ id }) => id)
}
