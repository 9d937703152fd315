import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { queueTotals, transferRow } from '../support/fakes/transfer-rows.ts'

/** An upload of 12.7 GB, under way, with whatever a test wants different. */
export function makeRow(changes: Partial<TransferRow> = {}): TransferRow {
  return transferRow({
    id: 'a',
    name: 'raw-footage.mov',
    placeId: 'studio',
    bucket: 'media',
    key: '2026/raw-footage.mov',
    localPath: '/home/ada/raw-footage.mov',
    status: 'transferring',
    sizeBytes: 12_700_000_000,
    confirmedBytes: 7_900_000_000,
    inFlightBytes: 40_000_000,
    bytesPerSecond: 48_200_000,
    etaSeconds: 170,
    unitsDone: 790,
    unitsTotal: 1270,
    ...changes,
  })
}

export const noTotals = queueTotals()
