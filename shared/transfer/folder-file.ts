import type { TransferErrorInfo } from './transfer-error.ts'
import type { TransferId } from './transfer.ts'

/**
 * The state of one file of a folder transfer. `waiting`: not started, or not retried yet; `already-there`: it was there
 * before with the same content; `skipped`: something else has its name, and was left alone as asked.
 */
export type FileState = 'waiting' | 'active' | 'done' | 'already-there' | 'skipped' | 'failed'

/** Whether the file is now at its destination. */
export function isThere(state: FileState): boolean {
  return state === 'done' || state === 'already-there'
}

/** One file of a folder transfer. */
export interface FolderFile {
  /** Its path below the folder, separated by `/`. */
  readonly path: string
  readonly sizeBytes: number
  readonly state: FileState
  /** Why it failed; if very many did, only the code is kept. */
  readonly error: TransferErrorInfo | null
}

/** Consecutive files of a folder transfer, in the order that they were found. */
export interface FolderFiles {
  /** How many files are known so far. */
  readonly total: number
  /** Number of the first of `files`, from 0. */
  readonly first: number
  /** At most as many as requested; fewer if their paths are long. */
  readonly files: readonly FolderFile[]
}

/** Names the files of a folder transfer that are to be shown. */
export interface FolderFilesQuery {
  readonly id: TransferId
  /** Number of the first, from 0. */
  readonly first: number
  /** 1 to MAX_FILES_A_PAGE. */
  readonly count: number
}

/** One file of a folder transfer, by its path below the folder. */
export interface FolderFileName {
  readonly id: TransferId
  readonly path: string
}

export const MAX_FILES_A_PAGE = 200
