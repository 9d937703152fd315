import type { TransferErrorCode, TransferErrorInfo } from '../../shared/transfer/transfer-error.ts'

/**
 * The exit status of the process. 0: the file or object is there now and equals its origin now. 1: a person is needed.
 * 2: wrong usage. 3: stopped, and the same command continues where it stopped.
 */
export const EXIT = { done: 0, needsPerson: 1, usage: 2, canContinue: 3 } as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]

const CONTINUABLE = new Set<TransferErrorCode>(['disk-full', 'gave-up-waiting', 'state-unwritable', 'target-read-only'])

export function exitStatusOf(error: TransferErrorInfo): ExitStatus {
  return CONTINUABLE.has(error.code) ? EXIT.canContinue : EXIT.needsPerson
}
