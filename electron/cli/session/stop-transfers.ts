import { droppedWords, finishingWords } from '../../../shared/transfer/words/stopping-words.ts'
import { waitAtMost } from '../../async/wait-at-most.ts'
import { QUIT_FINISH_MS } from '../../../shared/limits.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine, EngineDeps } from '../../engine/index.ts'
import type { Output } from '../output.ts'
import type { StopSignals } from '../stop-signal.ts'

/** How often the command checks on transfers that are finishing, milliseconds. */
const LOOK_INTERVAL_MS = 50

/** By then, transfers that were nearly done have ended and all others were given up (milliseconds). */
const PATIENCE_MS = QUIT_FINISH_MS + 2500

interface Stopping {
  readonly engine: Engine
  readonly output: Output
  readonly stop: StopSignals
  readonly clock: Pick<EngineDeps['clock'], 'sleep'>
}

/** Lets transfers that are nearly done end, until a second signal stops them too, and says how much was dropped. */
export async function stopTransfers({ engine, output, stop, clock }: Stopping): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stopped = engine.suspend(QUIT_FINISH_MS).then(() => waiting.abort())
  const stopNow = (): void => void engine.suspend()
  if (stop.second.aborted) stopNow()
  else stop.second.addEventListener('abort', stopNow, { once: true })
  let said: string | null = null
  clock.sleep(PATIENCE_MS, signal).then(
    () => output.note('A file or folder doesn’t answer. What was transferred is kept.'),
    () => undefined,
  )
  while (!signal.aborted) {
    const { rows } = engine.snapshot()
    const words = finishingWords(rows)
    if (words !== null && words !== said) output.finishing(unitsOf(rows), `${words}… press Ctrl+C again to stop now`)
    said = words
    await waitAtMost(LOOK_INTERVAL_MS, stopped, clock)
  }
  output.endProgress()
  sayDropped(engine, output)
}

function unitsOf(rows: readonly TransferRow[]): number {
  return rows.reduce((sum, { finishingUnits }) => sum + (finishingUnits ?? 0), 0)
}

function sayDropped(engine: Engine, output: Output): void {
  const { rows } = engine.snapshot()
  const bytes = rows.reduce((sum, { id }) => sum + (engine.details(id)?.droppedBytes ?? 0), 0)
  if (bytes === 0) return
  output.aside({ event: 'dropped', bytes }, droppedWords(bytes, rows[0]?.direction ?? 'upload'))
}
