import { formatBytes } from '../../../../shared/format-bytes.ts'
import type { TransferDirection } from '../../../../shared/transfer/transfer.ts'

/** What a stop gave up, as the history says it; null: nothing. Pure. */
export function droppedWords(droppedBytes: number, isPaused: boolean, direction: TransferDirection): string | null {
  if (droppedBytes <= 0) return null
  const what = isPaused ? 'Paused' : 'Stopped'
  const bytes = formatBytes(droppedBytes)
  return direction === 'upload'
    ? `${what}. ${bytes} was still on the way: what doesn’t arrive will be sent again.`
    : `${what}. ${bytes} still on the way was dropped and will be downloaded again.`
}
