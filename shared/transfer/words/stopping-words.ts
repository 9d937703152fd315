import { formatBytes } from '../../format/format-bytes.ts'
import { t } from '../../language/translate.ts'
import type { TransferDirection, TransferRow } from '../transfer.ts'

/**
 * What may still finish before transfers stop, without the dots: "Finishing 2 parts"; null when nothing is left. The
 * units of a folder have no single name, because some are whole files and others parts of one.
 */
export function finishingWords(rows: readonly Pick<TransferRow, 'finishingUnits' | 'items'>[]): string | null {
  const finishing = rows.filter(({ finishingUnits }) => finishingUnits !== null)
  const count = finishing.reduce((sum, { finishingUnits }) => sum + (finishingUnits ?? 0), 0)
  if (count === 0) return null
  const what = finishing.some(({ items }) => items != null) ? 'mixed' : 'part'
  return t('transfer.finishing', { count, what })
}

/** What happens to the bytes that a stop gave up, in English like the log. */
export function droppedWords(droppedBytes: number, direction: TransferDirection): string {
  const bytes = formatBytes(droppedBytes)
  return direction === 'upload'
    ? `${bytes} was still on the way: what doesn’t arrive will be sent again.`
    : `${bytes} still on the way was dropped and will be downloaded again.`
}
