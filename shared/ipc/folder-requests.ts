import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../transfer/folder-file.ts'

/** Requests about single files of a folder transfer. */
export interface FolderRequests {
  /** A page of at most 64 KB. While it is shown, the window requests it again whenever the folder's row changes. */
  'folder-files:list': { request: FolderFilesQuery; response: FolderFiles }
  /** Retries one failed file, and no other. */
  'folder-files:retry': { request: FolderFileName; response: null }
  /** Shows the file in its folder on this computer. */
  'folder-files:reveal': { request: FolderFileName; response: null }
}

export const FOLDER_REQUESTS = {
  'folder-files:list': true,
  'folder-files:retry': true,
  'folder-files:reveal': true,
} satisfies Record<keyof FolderRequests, true>
