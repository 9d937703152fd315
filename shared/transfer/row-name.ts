import { message, worded, type Message } from '../language/message.ts'
import { visibleText } from '../visible-text.ts'
import type { TransferRow } from './transfer.ts'

/** The displayable name of a transfer. Files dropped together are named by the first, and the number of others. */
export function rowName(row: Pick<TransferRow, 'name' | 'others'>): string {
  return worded(rowNameMessage(row))
}

/** The same name, to be put into words later. */
export function rowNameMessage({ name, others }: Pick<TransferRow, 'name' | 'others'>): Message | string {
  const first = visibleText(name)
  return others === undefined ? first : message('transfer.row.together', { name: first, count: others })
}
