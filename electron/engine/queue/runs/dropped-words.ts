import { formatBytes } from '../../../../shared/format-bytes.ts'
import type { TransferDirection } from '../../../../shared/transfer/transfer.ts'

/** What a stop gave up, as the history says it; null: nothing. Pure. */
export function droppedWords(droppedBytes: number, isPaused: boolean, direction: TransferDirection): string | null {
  if (droppedBytes <= 0) return null
  const again = direction === 'upload' ? 'sent' : 'downloaded'
  const what = isPaused ? 'Paused' : 'Stopped'
  return `${what}. ${formatBytes(droppedBytes)} still on the way was dropped and will be ${again} again.`
}
