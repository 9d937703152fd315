import { t } from '../../shared/language/translate.ts'
import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'

export type Group = TransferGroup

/** How a group of transfers is called, in the list and in the sidebar. */
export function groupWords(group: Group): string {
  return t(`transfer.group.${group}`)
}
