import { t } from '../../shared/language/translate.ts'
import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'

export type Group = TransferGroup

/** The name of a group of transfers, in the list and in the sidebar. */
export function groupWords(group: Group): string {
  return t(`transfer.group.${group}`)
}
