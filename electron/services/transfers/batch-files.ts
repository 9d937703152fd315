// Decides which files that are dropped together become one row.

import { nodeFiles } from '../../engine/index.ts'
import { compareKeys } from '../../stores/port/key-order.ts'
import type { ChosenFile } from './chosen-files.ts'

/** The largest file that shares a row with others dropped together; a larger one gets its own row. */
export const BATCH_FILE_MAX_BYTES = 100_000_000
/** Fewer files than this each get a row: a person looks at them one by one anyway. */
const LEAST_IN_BATCH = 5

export interface ApartFiles {
  /** Each gets its own row. */
  readonly alone: readonly ChosenFile[]
  /** These share one row, in the order of their keys. May be empty. */
  readonly together: readonly ChosenFile[]
}

/** Separates files that get their own row from those that share one. */
export async function tellApart(files: readonly ChosenFile[]): Promise<ApartFiles> {
  if (files.length < LEAST_IN_BATCH) return { alone: files, together: [] }
  const small = new Set<ChosenFile>()
  for (const file of files) if (await isSmall(file)) small.add(file)
  if (small.size < LEAST_IN_BATCH) return { alone: files, together: [] }
  return {
    alone: files.filter((file) => !small.has(file)),
    together: [...small].sort((left, right) => compareKeys(left.key, right.key)),
  }
}

/** Symbolic links don't count as small: only single-file uploads follow them. */
async function isSmall({ sourcePath }: ChosenFile): Promise<boolean> {
  const facts = await nodeFiles.lstat(sourcePath).catch(() => null)
  return facts?.isFile() === true && facts.size <= BATCH_FILE_MAX_BYTES
}
