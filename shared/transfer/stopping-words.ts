import { formatBytes } from '../format-bytes.ts'
import { t } from '../language/translate.ts'
import type { TransferDirection, TransferRow } from './transfer.ts'

/**
 * What is let end before transfers stop, without the dots: "Finishing 2 parts"; null: nothing is. A folder's are not
 * counted: some are whole files, others parts of one.
 */
export function finishingWords(rows: readonly Pick<TransferRow, 'finishingUnits' | 'items'>[]): string | null {
  const finishing = rows.filter(({ finishingUnits }) => finishingUnits !== null)
  const count = finishing.reduce((sum, { finishingUnits }) => sum + (finishingUnits ?? 0), 0)
  if (count === 0) return null
  const what = finishing.some(({ items }) => items != null) ? 'mixed' : 'part'
  return t('transfer.finishing', { count, what })
}

/** What becomes of the bytes that a stop gave up, in English as the log is. */
export function droppedWords(droppedBytes: number, direction: TransferDirection): string {
  const bytes = formatBytes(droppedBytes)
  return direction === 'upload'
    ? `${bytes} was still on the way: what doesn’t arrive will be sent again.`
    : `${bytes} still on the way was dropped and will be downloaded again.`
}
