import type { TransferRow } from './transfer.ts'

/** Whether a pause throws away what has come: the server tells no version that a later answer could go on with. */
export function losesByPause({ direction, status, items, unitsTotal, inFlightBytes }: TransferRow): boolean {
  const isOneDownload = direction === 'download' && items == null
  return isOneDownload && status === 'transferring' && unitsTotal === 0 && inFlightBytes > 0
}
