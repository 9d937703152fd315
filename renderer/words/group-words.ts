import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'

export type Group = TransferGroup

/** How a group of transfers is called, in the list and in the sidebar. Pure. */
export function groupWords(group: Group): string {
  return WORDS[group]
}

const WORDS: Readonly<Record<Group, string>> = {
  attention: 'Needs you',
  active: 'Active',
  waiting: 'Waiting',
  paused: 'Paused',
  done: 'Done',
}
