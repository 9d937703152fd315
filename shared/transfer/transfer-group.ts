import { assertNever } from '../assert.ts'
import type { TransferStatus } from './transfer.ts'

/** The filters of the list. Every status is in exactly one group, so the groups' counts add up to all. */
export type TransferGroup = (typeof GROUPS)[number]

/** The groups in display order. */
export const GROUPS = ['attention', 'active', 'waiting', 'paused', 'done'] as const

/** The group of a transfer. Only failed ones need attention. */
export function groupOf(status: TransferStatus): TransferGroup {
  switch (status) {
    case 'preparing':
    case 'transferring':
    case 'pausing':
    case 'verifying':
    case 'completing':
      return 'active'
    case 'queued':
    case 'waiting':
      return 'waiting'
    case 'paused':
      return 'paused'
    case 'failed':
      return 'attention'
    case 'completed':
    case 'canceled':
      return 'done'
    default:
      return assertNever(status)
  }
}

/** Whether a transfer with this status goes on by itself, or is still finishing what a pause lets finish. Pure. */
export function goesOn(status: TransferStatus): boolean {
  const group = groupOf(status)
  return group === 'active' || group === 'waiting'
}
