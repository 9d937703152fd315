import { message, worded, type Message } from '../language/message.ts'
import { visibleText } from '../visible-text.ts'
import type { TransferRow } from './transfer.ts'

/** How a transfer is called, as it may be shown: what was dropped together by the first of it, and how many others. */
export function rowName(row: Pick<TransferRow, 'name' | 'others'>): string {
  return worded(rowNameMessage(row))
}

/** The same, to be worded later. */
export function rowNameMessage({ name, others }: Pick<TransferRow, 'name' | 'others'>): Message | string {
  const first = visibleText(name)
  return others === undefined ? first : message('transfer.row.together', { name: first, count: others })
}
