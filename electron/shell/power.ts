import { powerMonitor, powerSaveBlocker } from 'electron'
import type { QueueTotals } from '../../shared/transfer/transfer-delta.ts'

interface PowerActions {
  readonly suspend: () => void
  readonly wake: () => void
}

export interface Power {
  /** Keeps the system awake while bytes move, and only then. */
  observe(totals: QueueTotals): void
  close(): void
}

/** Follows the machine's sleep, and keeps it from falling asleep in the middle of a transfer. */
export function watchPower({ suspend, wake }: PowerActions): Power {
  let blocker: number | null = null

  function release(): void {
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }

  powerMonitor.on('suspend', suspend)
  powerMonitor.on('resume', wake)
  return {
    observe: ({ counts, uploadBytesPerSecond, downloadBytesPerSecond }) => {
      const isMoving = counts.active > 0 && uploadBytesPerSecond + downloadBytesPerSecond > 0
      if (!isMoving) release()
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    },
    close: release,
  }
}
