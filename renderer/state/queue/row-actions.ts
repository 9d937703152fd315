// The actions that a transfer allows now. Pure; `actions/transfer-actions.ts` carries them out.

import { assertNever } from '../../../shared/assert.ts'
import { describeError, type ErrorAction, type ErrorContext } from '../../../shared/transfer/words/error-words.ts'
import { isOfLockedKeyring, type TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import { t } from '../../../shared/language/translate.ts'

/** What a person can do with a row. */
export type RowAction =
  | ErrorAction
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'start-now'
  | 'move'
  | 'reveal'
  | 'limit'
  | 'copy-link'
  | 'show-in-place'
  | 'open'
  | 'preview'

/** The visible button of a row. */
export interface PrimaryAction {
  readonly action: RowAction
  readonly label: string
  /** False while the action is being carried out. */
  readonly enabled: boolean
}

const ACTIONS: Readonly<Record<TransferRow['status'], ReadonlySet<RowAction>>> = {
  queued: new Set(['pause', 'cancel', 'remove']),
  preparing: new Set(['pause', 'start-over', 'cancel', 'remove']),
  transferring: new Set(['pause', 'start-over', 'cancel', 'remove']),
  waiting: new Set(['retry', 'pause', 'start-over', 'cancel', 'remove']),
  pausing: new Set(['resume', 'cancel']),
  paused: new Set(['resume', 'start-over', 'cancel', 'remove']),
  verifying: new Set(['pause', 'cancel', 'remove']),
  completing: new Set(['cancel']),
  completed: new Set(['reveal', 'remove']),
  failed: new Set(['retry', 'start-over', 'remove', 'cancel']),
  canceled: new Set(['start-over', 'remove']),
}

const NETWORK_CODES: ReadonlySet<TransferErrorCode | undefined> = new Set<TransferErrorCode>([
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
])

/** Removing a row while what it has transferred is kept: not an action of its own, but an answer when one is removed. */
export type LetGo = 'let-go'

/** Whether an action applies to a row now. */
export function canDo(action: RowAction | LetGo, row: TransferRow): boolean {
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
    case 'choose-bucket':
      return row.status === 'failed' && row.error?.code === 'no-such-bucket' && row.placeId !== null
    case 'network':
      return row.status === 'failed' && NETWORK_CODES.has(row.error?.code)
    case 'edit-place':
      return !isFinal(row.status) && row.placeId !== null
    case 'unlock-keyring':
      return row.status === 'failed' && isOfLockedKeyring(row.error)
    case 'start-now':
    case 'move':
      return row.status === 'queued' || row.status === 'paused'
    case 'let-go':
      return !isFinal(row.status) && row.status !== 'completing' && row.confirmedBytes > 0
    case 'copy-link':
      return canShowInPlace(row) && row.items == null
    case 'show-in-place':
      return canShowInPlace(row)
    case 'preview':
      return row.status === 'completed' && row.items == null
    case 'open':
      return row.status === 'completed' && row.items == null && row.direction === 'upload'
    default:
      return ACTIONS[row.status].has(action)
  }
}

/** Whether the uploaded object can be shown in its place. */
function canShowInPlace({ status, direction, placeId }: TransferRow): boolean {
  return status === 'completed' && direction === 'upload' && placeId !== null
}

/** Whether pausing again would stop what an earlier pause lets finish. */
export function canStopNow({ status, finishingUnits }: TransferRow): boolean {
  return status === 'pausing' && finishingUnits !== null
}

/** What a person most likely wants next with a finished transfer. */
function whatIsNext(row: TransferRow): Pick<PrimaryAction, 'action' | 'label'> {
  if (canDo('copy-link', row)) return { action: 'copy-link', label: t('commands.name.copy-link') }
  if (canDo('show-in-place', row)) return { action: 'show-in-place', label: t('commands.name.show-in-place') }
  return { action: 'reveal', label: t('commands.name.reveal') }
}

/** The button that a row shows; null while there is nothing for a person to do. */
export function primaryAction(row: TransferRow, context: ErrorContext): PrimaryAction | null {
  switch (row.status) {
    case 'queued':
      return { action: 'start-now', label: t('commands.name.start-now'), enabled: true }
    case 'preparing':
    case 'transferring':
      return { action: 'pause', label: t('commands.name.pause'), enabled: true }
    case 'pausing':
      return canStopNow(row)
        ? { action: 'pause', label: t('queue.row.stop-now'), enabled: true }
        : { action: 'pause', label: t('window.row.stopping'), enabled: false }
    case 'paused':
      return { action: 'resume', label: t('commands.name.resume'), enabled: true }
    case 'waiting':
      return { action: 'retry', label: t('window.row.try-now'), enabled: true }
    case 'verifying':
    case 'completing':
      return null
    case 'completed':
      return { ...whatIsNext(row), enabled: true }
    case 'canceled':
      return { action: 'remove', label: t('common.remove'), enabled: true }
    case 'failed': {
      const words = row.error === null ? null : describeError(row.error, context)
      if (words === null || !canDo(words.action, row))
        return { action: 'retry', label: t('commands.name.retry'), enabled: true }
      return { action: words.action, label: words.actionLabel, enabled: true }
    }
    default:
      return assertNever(row.status)
  }
}
