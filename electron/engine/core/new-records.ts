// Makes the records of transfers that have not begun, and of those that begin again.

import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type {
  DownloadRecord,
  FolderRecord,
  PartRecord,
  TransferRecord,
  UploadFolderRecord,
  UploadRecord,
} from './records.ts'
import type { DownloadRequest, FolderRequest, UploadFolderRequest, UploadMatch, UploadRequest } from './requests.ts'

const FRESH = { status: 'queued', error: null, verification: null, finishedAtMs: null, activeMs: 0 } as const

const UNBEGUN = { source: null, plan: null, uploadId: null } as const

export type NewRecordFacts = Pick<TransferRecord, 'id' | 'position' | 'createdAtMs'> & {
  /** If left out, the transfer waits for its turn. */
  readonly status?: 'paused'
}

/** The record of an upload that was just asked for. */
export function uploadRecord(request: UploadRequest, facts: NewRecordFacts): UploadRecord {
  const { adopt, completes, ...asked } = request
  const upload = { ...FRESH, ...facts, direction: 'upload', ...asked } as const
  if (completes !== undefined) {
    const { plan, uploadId, intent } = completes
    return { ...upload, source: null, plan, uploadId, intent, isPartsOnly: true }
  }
  const begun = adopt === undefined ? UNBEGUN : adoptMatch(adopt).changes
  return { ...upload, ...begun, intent: null }
}

/** The record of a download that was just asked for. */
export function downloadRecord(request: DownloadRequest, facts: NewRecordFacts): DownloadRecord {
  return {
    ...FRESH,
    ...facts,
    direction: 'download',
    ...request,
    identity: null,
    partialPath: null,
    publishing: null,
  }
}

/** The record of a folder download that was just asked for. */
export function folderRecord({ prefix, ...request }: FolderRequest, facts: NewRecordFacts): FolderRecord {
  return { ...FRESH, ...facts, direction: 'folder', key: prefix, ...request, counts: null }
}

/** The record of a folder upload that was just asked for. */
export function uploadFolderRecord(
  { prefix, ...request }: UploadFolderRequest,
  facts: NewRecordFacts,
): UploadFolderRecord {
  return { ...FRESH, ...facts, direction: 'upload-folder', key: prefix, ...request, planned: null, counts: null }
}

const ANEW = {
  retryAtMs: null,
  error: null,
  verification: null,
  proofLack: undefined,
  finishedAtMs: null,
  activeMs: 0,
}
const FOLDER_ANEW = { ...ANEW, counts: null, failures: [] }

const RECORD_ANEW = {
  upload: { ...ANEW, ...UNBEGUN, uploadsBefore: null, intent: null, isNewUpload: true },
  download: {
    ...ANEW,
    identity: null,
    partialPath: null,
    publishing: null,
    isRelinked: false,
    borrowedFrom: undefined,
  },
  folder: FOLDER_ANEW,
  'upload-folder': { ...FOLDER_ANEW, planned: null },
}

/**
 * With these errors a failed row shows the object that has, or may have, the key; a row that was canceled since then
 * doesn't show it.
 */
const SHOWN: ReadonlySet<TransferErrorCode> = new Set(['conflict-on-server', 'final-mismatch', 'outcome-unknown'])

/**
 * What changes in the record of a transfer that begins anew. An object that the row showed, or made, is replaced.
 */
export function recordAnew({ direction, status, error }: TransferRecord) {
  const isSeen = status === 'completed' || (status === 'failed' && error !== null && SHOWN.has(error.code))
  const replaces = direction === 'upload' && isSeen ? ({ onConflict: 'replace' } as const) : {}
  return { ...RECORD_ANEW[direction], ...replaces }
}

/**
 * An upload that continues with the file now at its path: its parts have no source until that file proves to have them.
 */
export const UPLOAD_UNBOUND = { ...ANEW, source: null }

/** Whether an upload ended because its file changed: the file may still have some of its parts. */
export function mayKeepParts(record: TransferRecord): boolean {
  if (record.direction !== 'upload' || record.error?.code !== 'source-changed') return false
  return record.uploadId !== null && record.plan !== null && record.intent === null
}

/** What makes a new upload record continue a match, and the parts to record with it. */
export function adoptMatch(match: UploadMatch): {
  readonly changes: Pick<UploadRecord, 'source' | 'plan' | 'uploadId' | 'uploadsBefore' | 'token'>
  readonly parts: readonly PartRecord[]
} {
  // The upload began elsewhere, without a token of this transfer, and was found in the list of uploads.
  const { source, plan, uploadId, proven } = match
  return { changes: { source, plan, uploadId, uploadsBefore: [uploadId], token: undefined }, parts: proven }
}
