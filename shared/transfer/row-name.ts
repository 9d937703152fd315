import { t } from '../language/translate.ts'
import { visibleText } from '../visible-text.ts'
import type { TransferRow } from './transfer.ts'

/** How a transfer is called, as it may be shown: what was dropped together by the first of it, and how many others. */
export function rowName({ name, others }: Pick<TransferRow, 'name' | 'others'>): string {
  const first = visibleText(name)
  return others === undefined ? first : t('transfer.row.together', { name: first, count: others })
}
