import { assertNever } from '../../shared/assert.ts'
import { describeError, type ErrorContext } from '../../shared/transfer/error-words.ts'
import type { TransferErrorCode } from '../../shared/transfer/transfer-error.ts'
import { isFinal, type TransferRow } from '../../shared/transfer/transfer.ts'

/** What a person can do with a row. */
export type RowAction =
  | 'pause'
  | 'resume'
  | 'retry'
  | 'start-over'
  | 'cancel'
  | 'remove'
  | 'reveal'
  | 'limit'
  | 'relink'
  | 'review'
  | 'decide'
  | 'certificate'
  | 'network'
  | 'edit-place'

/** A row's one visible button. */
export interface PrimaryAction {
  readonly action: RowAction
  readonly label: string
  /** False while the wish is being carried out. */
  readonly enabled: boolean
}

const ACTIONS: Readonly<Record<TransferRow['status'], ReadonlySet<RowAction>>> = {
  queued: new Set(['pause', 'cancel']),
  preparing: new Set(['pause', 'start-over', 'cancel']),
  transferring: new Set(['pause', 'start-over', 'cancel']),
  waiting: new Set(['retry', 'pause', 'start-over', 'cancel']),
  pausing: new Set(['resume', 'cancel']),
  paused: new Set(['resume', 'start-over', 'cancel']),
  verifying: new Set(['pause', 'cancel']),
  completing: new Set(['cancel']),
  completed: new Set(['reveal', 'remove']),
  failed: new Set(['retry', 'start-over', 'remove']),
  canceled: new Set(['start-over', 'remove']),
}

const NETWORK_CODES: ReadonlySet<TransferErrorCode | undefined> = new Set<TransferErrorCode>([
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
])

/** Whether an action applies to a row now. */
export function canDo(action: RowAction, row: TransferRow): boolean {
  switch (action) {
    case 'pause':
      return ACTIONS[row.status].has(action) || canStopNow(row)
    case 'limit':
      return !isFinal(row.status)
    case 'relink':
      return row.placeId === null && row.direction === 'download' && !isFinal(row.status)
    case 'review':
      return row.status === 'failed' && row.error?.code === 'earlier-upload'
    case 'decide':
      return row.status === 'failed' && row.error?.dispute !== undefined
    case 'certificate':
      return row.status === 'failed' && row.error?.code === 'certificate-untrusted'
    case 'network':
      return row.status === 'failed' && NETWORK_CODES.has(row.error?.code)
    case 'edit-place':
      return !isFinal(row.status) && row.placeId !== null
    default:
      return ACTIONS[row.status].has(action)
  }
}

/** Pausing it once more stops what is let end first. */
export function canStopNow({ status, finishingUnits }: TransferRow): boolean {
  return status === 'pausing' && finishingUnits !== null
}

/** The button a row shows; null while there is nothing for a person to do. */
export function primaryAction(row: TransferRow, context: ErrorContext): PrimaryAction | null {
  switch (row.status) {
    case 'queued':
    case 'preparing':
    case 'transferring':
      return { action: 'pause', label: 'Pause', enabled: true }
    case 'pausing':
      return canStopNow(row)
        ? { action: 'pause', label: 'Stop now', enabled: true }
        : { action: 'pause', label: 'Stopping…', enabled: false }
    case 'paused':
      return { action: 'resume', label: 'Resume', enabled: true }
    case 'waiting':
      return { action: 'retry', label: 'Try now', enabled: true }
    case 'verifying':
    case 'completing':
      return null
    case 'completed':
      return { action: 'reveal', label: 'Show in folder', enabled: true }
    case 'canceled':
      return { action: 'remove', label: 'Remove', enabled: true }
    case 'failed': {
      const words = row.error === null ? null : describeError(row.error, context)
      if (words === null || !canDo(words.action, row)) return { action: 'retry', label: 'Retry', enabled: true }
      return { action: words.action, label: words.actionLabel, enabled: true }
    }
    default:
      return assertNever(row.status)
  }
}
