// Which of the files that are dropped together become one row.

import { lstat } from 'node:fs/promises'
import { compareKeys } from '../../stores/port/key-order.ts'
import type { ChosenFile } from './chosen-files.ts'

/** Files dropped together are one row as far as they are not larger; a larger one is a row of its own. */
export const BATCH_FILE_MAX_BYTES = 100_000_000
/** Fewer of them are looked at one by one anyway. */
const LEAST_IN_BATCH = 5

export interface ApartFiles {
  /** A row each. */
  readonly alone: readonly ChosenFile[]
  /** One row; in the order of their keys. Empty, or some. */
  readonly together: readonly ChosenFile[]
}

/** Tells files that are worth a row of their own from those that are one row together. */
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

/** Links are read by uploads of one file only. */
async function isSmall({ sourcePath }: ChosenFile): Promise<boolean> {
  const facts = await lstat(sourcePath).catch(() => null)
  return facts?.isFile() === true && facts.size <= BATCH_FILE_MAX_BYTES
}
