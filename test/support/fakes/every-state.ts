import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { transferRow } from './transfer-rows.ts'

export function transferError(code: TransferErrorInfo['code']): TransferErrorInfo {
  return { code, detail: '', serviceCode: null, httpStatus: null, requestId: null }
}

const SIZE = 12_700_000_000
const HALF = { sizeBytes: SIZE, confirmedBytes: SIZE / 2, unitsDone: 5, unitsTotal: 10 }
const COUNTED = { done: 121, total: 297, failed: 2, isCounted: true }
const WAIT = {
  reason: 'network',
  cause: { code: 'connection-refused', host: 'storage.example.com', httpStatus: null },
  attempt: 5,
} as const

/** A row in every state that looks like no other, with long words. The next tries are never, unless a time is given. */
export function everyState(retryAtMs = 8.64e15): readonly TransferRow[] {
  const wait = { ...WAIT, retryAtMs }
  const states: Readonly<Record<string, Partial<TransferRow>>> = {
    moving: { ...HALF, status: 'transferring', bytesPerSecond: 48_200_000, etaSeconds: 5400, inFlightBytes: 1e8 },
    'folder-moving': { ...HALF, status: 'transferring', bytesPerSecond: 48_200_000, etaSeconds: 5400, items: COUNTED },
    listing: { status: 'preparing', sizeBytes: null, items: { ...COUNTED, isCounted: false } },
    checking: { ...HALF, status: 'preparing' },
    verifying: { ...HALF, confirmedBytes: SIZE, status: 'verifying', direction: 'download' },
    completing: { ...HALF, confirmedBytes: SIZE, status: 'completing' },
    pausing: { ...HALF, status: 'pausing', finishingUnits: 28 },
    stopping: { ...HALF, status: 'pausing' },
    queued: { status: 'queued', sizeBytes: SIZE },
    waiting: { ...HALF, status: 'waiting', wait },
    'waiting-first': { status: 'waiting', sizeBytes: SIZE, wait },
    'no-source': { ...HALF, status: 'waiting', wait: { reason: 'source-missing', retryAtMs: null, attempt: 1 } },
    paused: { ...HALF, status: 'paused' },
    failed: { ...HALF, status: 'failed', error: transferError('source-changed') },
    'failed-first': { status: 'failed', sizeBytes: SIZE, error: transferError('source-changed') },
    'failed-folder': { ...HALF, status: 'failed', error: transferError('items-failed'), items: COUNTED },
    done: { ...HALF, confirmedBytes: SIZE, status: 'completed', verification: 'etag-multipart', activeMs: 261_000 },
    canceled: { status: 'canceled', sizeBytes: SIZE },
  }
  const folder = '/Volumes/A disk with a long name/Projects/Shoot 12 Nov'
  return Object.entries(states).map(([state, changes], position) =>
    transferRow({
      id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
      name: `${state}.mov`,
      localPath: `${folder}/${state}.mov`,
      key: `media/2026/${state}.mov`,
      position,
      ...changes,
    }),
  )
}
