import type { DownloadRecord, FolderItem, FolderRecord, UploadRecord } from '../../../electron/engine/core/records.ts'

const common = {
  position: 1,
  location: { kind: 'place', placeId: 'place-1', bucket: 'media' },
  status: 'queued',
  error: null,
  verification: null,
  createdAtMs: 1_767_225_600_000,
  finishedAtMs: null,
  activeMs: 0,
} as const

/** An upload that has not begun. */
export function uploadRecord(changes: Partial<UploadRecord> = {}): UploadRecord {
  return {
    ...common,
    id: 'upload-1',
    direction: 'upload',
    key: 'clips/a.mov',
    sourcePath: '/videos/a.mov',
    source: null,
    plan: null,
    uploadId: null,
    intent: null,
    onConflict: 'replace',
    ...changes,
  }
}

/** A download that has not begun. */
export function downloadRecord(changes: Partial<DownloadRecord> = {}): DownloadRecord {
  return {
    ...common,
    id: 'download-1',
    direction: 'download',
    key: 'data/set.tar',
    targetPath: '/downloads/set.tar',
    onConflict: 'keep-both',
    identity: null,
    partialPath: null,
    publishing: null,
    ...changes,
  }
}

/** A folder download that has not begun. */
export function folderRecord(changes: Partial<FolderRecord> = {}): FolderRecord {
  return {
    ...common,
    id: 'folder-1',
    direction: 'folder',
    key: 'data/',
    targetPath: '/downloads/data',
    onConflict: 'keep-both',
    counts: null,
    ...changes,
  }
}

/** A finished object of a folder download. */
export function folderItem(key: string): FolderItem {
  return { key, path: key, sizeBytes: 4, etag: 'e', modifiedSeconds: 1_767_225_600 }
}
