import type { TransferDetails, TransferRow, UnitState } from '../../../shared/transfer/transfer.ts'
import { transferError } from './every-state.ts'
import { transferRow } from './transfer-rows.ts'

const MB = 1_000_000
const GB = 1000 * MB
const MINUTE = 60_000
const idOf = (position: number): string => `00000000-0000-4000-9000-${String(position).padStart(12, '0')}`

/** A queue as one has it on a working day at `nowMs`, at the place `placeId`. */
export function showcaseRows(placeId: string, nowMs: number): readonly TransferRow[] {
  const rows: readonly Partial<TransferRow>[] = [
    {
      name: 'Aurora – final cut.mov',
      key: 'films/Aurora – final cut.mov',
      sizeBytes: 12.7 * GB,
      confirmedBytes: 8.26 * GB,
      inFlightBytes: 96 * MB,
      unitsDone: 123,
      unitsTotal: 190,
      status: 'transferring',
      bytesPerSecond: 48.2 * MB,
      etaSeconds: 93,
      activeMs: 4 * MINUTE,
    },
    {
      name: 'Interviews',
      key: 'interviews/',
      direction: 'download',
      localPath: '/home/ada/Downloads/Interviews',
      sizeBytes: 31.4 * GB,
      confirmedBytes: 12.9 * GB,
      unitsDone: 121,
      unitsTotal: 297,
      items: { done: 121, total: 297, failed: 0, isCounted: true },
      status: 'transferring',
      bytesPerSecond: 21.6 * MB,
      etaSeconds: 857,
      activeMs: 10 * MINUTE,
    },
    {
      name: 'Rushes day 4.mov',
      key: 'rushes/Rushes day 4.mov',
      sizeBytes: 8.4 * GB,
      confirmedBytes: 3.1 * GB,
      unitsDone: 46,
      unitsTotal: 126,
      status: 'failed',
      error: transferError('source-changed'),
    },
    {
      name: 'Drone, harbour at dawn.mp4',
      key: 'rushes/Drone, harbour at dawn.mp4',
      sizeBytes: 5.2 * GB,
      status: 'queued',
    },
    {
      name: 'Backup 2026-03.tar',
      key: 'backup/Backup 2026-03.tar',
      sizeBytes: 64 * GB,
      confirmedBytes: 41.8 * GB,
      unitsDone: 311,
      unitsTotal: 477,
      status: 'paused',
    },
    ...['Poster A2.tif', 'Score, stereo mix.wav', 'Subtitles.zip', 'Trailer 90 s.mov'].map((name, index) => ({
      name,
      key: `films/${name}`,
      sizeBytes: [412 * MB, 1.1 * GB, 2.3 * MB, 2.9 * GB][index] ?? 0,
      confirmedBytes: [412 * MB, 1.1 * GB, 2.3 * MB, 2.9 * GB][index] ?? 0,
      status: 'completed' as const,
      verification: 'etag-multipart' as const,
      activeMs: 61_000,
      finishedAtMs: nowMs - (index + 3) * MINUTE,
    })),
  ]
  return rows.map((row, position) =>
    transferRow({
      id: idOf(position),
      position,
      placeId,
      bucket: 'media',
      localPath: `/home/ada/Films/${row.name ?? ''}`,
      createdAtMs: nowMs - 12 * MINUTE,
      ...row,
    }),
  )
}

/** What the inspector shows of the first of these rows. */
export function showcaseDetails(nowMs: number): TransferDetails {
  const stateOf = (index: number): UnitState => {
    if (index < 118 || index === 121 || (index > 123 && index < 128)) return 'done'
    return index < 129 ? 'active' : 'waiting'
  }
  const speed = Array.from({ length: 60 }, (_, second) => (44 + 5 * Math.sin(second / 4) + 2 * Math.sin(second)) * MB)
  return {
    id: idOf(0),
    uploadId: '2~Xb1nA7TqWm0Vd5',
    etag: null,
    unitSizeBytes: 67_108_864,
    unitsPerCell: 1,
    cells: Array.from({ length: 190 }, (_, index) => stateOf(index)),
    log: [
      { atMs: nowMs - 12 * MINUTE, text: 'Added', requestId: null },
      { atMs: nowMs - 12 * MINUTE, text: 'Started', requestId: null },
      { atMs: nowMs - 8 * MINUTE, text: 'Paused by you', requestId: null },
      { atMs: nowMs - 4 * MINUTE, text: 'Resumed', requestId: null },
    ],
    droppedBytes: 0,
    averageBytesPerSecond: 44.1 * MB,
    peakBytesPerSecond: 51.3 * MB,
    speed: { recent: speed, life: speed, lifeStepMs: 4000 },
  }
}
