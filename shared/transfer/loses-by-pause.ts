import type { TransferRow } from './transfer.ts'

/** Whether a pause throws away what has come: it starts over afterwards, and bytes of it are here. */
export function losesByPause({ status, startsOver, inFlightBytes }: TransferRow): boolean {
  return status === 'transferring' && startsOver === true && inFlightBytes > 0
}
