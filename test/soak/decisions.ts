import type { TransferErrorCode } from '../../shared/transfer/transfer-error.ts'

/**
 * Where several upload to one key, one may meet what another began, completed or replaced. Sluice leaves it to the
 * person then, who looks and gives the same command again. Nothing else may need a decision in a soak.
 */
const LEFT_TO_PERSON: readonly TransferErrorCode[] = [
  'conflict-on-server',
  'earlier-upload',
  'outcome-unknown',
  'upload-lost',
]

export function isLeftToPerson(code: unknown): code is TransferErrorCode {
  return LEFT_TO_PERSON.some((each) => each === code)
}

/** How often which was met. */
export type Decisions = Map<TransferErrorCode, number>

export function count(decisions: Decisions, code: TransferErrorCode): void {
  decisions.set(code, (decisions.get(code) ?? 0) + 1)
}
