import type { QueueTotals } from '../../shared/transfer-delta.ts'
import type { TransferRow } from '../../shared/transfer.ts'

/** An upload of 12.7 GB, under way, with whatever a test wants different. */
export function makeRow(changes: Partial<TransferRow> = {}): TransferRow {
  return {
    id: 'a',
    direction: 'upload',
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
    wait: null,
    error: null,
    verification: null,
    createdAtMs: 0,
    finishedAtMs: null,
    limitBytesPerSecond: null,
    activeMs: 0,
    ...changes,
  }
}

export const noTotals: QueueTotals = {
  counts: { all: 0, active: 0, waiting: 0, attention: 0, done: 0 },
  uploadBytesPerSecond: 0,
  downloadBytesPerSecond: 0,
  remainingBytes: 0,
  etaSeconds: null,
}
