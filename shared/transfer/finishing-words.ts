import { t } from '../language/translate.ts'
import type { TransferRow } from './transfer.ts'

/**
 * What is let end before transfers stop, without the dots: "Finishing 2 parts"; null: nothing is. Of folders parts and
 * whole files count alike.
 */
export function finishingWords(
  rows: readonly Pick<TransferRow, 'finishingUnits' | 'items' | 'direction'>[],
): string | null {
  const finishing = rows.filter(({ finishingUnits }) => finishingUnits !== null)
  const count = finishing.reduce((sum, { finishingUnits }) => sum + (finishingUnits ?? 0), 0)
  if (count === 0) return null
  const what = finishing.find(({ items }) => items != null)?.direction ?? 'part'
  return t('transfer.finishing', { count, what })
}
