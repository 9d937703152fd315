import type { QueueTotals, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'

/** A row of an upload to the demo store that has not begun. */
export function transferRow(changes: Partial<TransferRow> = {}): TransferRow {
  return {
    id: 'row-0',
    direction: 'upload',
    position: 0,
    name: 'a.mov',
    placeId: 'demo',
    bucket: 'demo',
    key: 'a.mov',
    localPath: '/data/a.mov',
    status: 'queued',
    sizeBytes: 1,
    confirmedBytes: 0,
    inFlightBytes: 0,
    bytesPerSecond: 0,
    etaSeconds: null,
    unitsDone: 0,
    unitsTotal: 0,
    finishingUnits: null,
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

export function queueTotals(counts: Partial<QueueTotals['counts']> = {}, remainingBytes = 0): QueueTotals {
  return {
    counts: { all: 0, active: 0, waiting: 0, paused: 0, attention: 0, done: 0, ...counts },
    uploadBytesPerSecond: 0,
    downloadBytesPerSecond: 0,
    remainingBytes,
    pausedBytes: 0,
    etaSeconds: null,
  }
}

export function transferSnapshot(rows: readonly TransferRow[] = []): TransferSnapshot {
  return { seq: 0, rows, totals: queueTotals({ all: rows.length }) }
}
