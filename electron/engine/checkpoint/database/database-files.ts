// The files of a database: which there are, who may read them, how they are moved and deleted.

import { access, chmod, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Suffixes of a database's files, main file first. They belong together: apart, they are a damaged database. */
export const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const

/** Where a damaged database is kept until its rows are in the new one. */
export function damagedPath(path: string): string {
  return `${path}.damaged`
}

/**
 * Creates the file if it is missing, and lets only its owner read it, its copies and its companions. SQLite creates new
 * companions with the same mode.
 */
export async function hideFromOthers(path: string): Promise<void> {
  try {
    await createIfMissing(path)
    for (const file of await filesOf(path)) await chmod(file, 0o600)
  } catch {
    // If the file can't be opened, opening it as a database will report that.
  }
}

/** Paths of a database, its copies and its companions: all files whose names begin with its own. */
export async function filesOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith(basename(path))).map((name) => join(folder, name))
}

/** Never opens an existing file: closing it would release the lock of another opener in this process (POSIX). */
async function createIfMissing(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(() => null)
  await file?.close()
}

/** Moves a damaged database to `damagedPath`. */
export async function moveAside(path: string): Promise<void> {
  // An earlier damaged database that was not copied yet is worth more than the one that was to be its copy.
  if (await isThere(damagedPath(path))) await removeDatabase(path)
  else await renameToDamaged(path)
}

/** Finishes a move that stopped after the main file: beside a new one, SQLite would take the log for a leftover. */
export async function finishMovingAside(path: string): Promise<void> {
  if ((await isThere(damagedPath(path))) && !(await isThere(path))) await renameToDamaged(path)
}

/** Moves the main file first: companions without one are then known to belong to the damaged database. */
async function renameToDamaged(path: string): Promise<void> {
  for (const companion of COMPANIONS) await renameIfThere(path + companion, damagedPath(path) + companion)
}

/** Deletes a database and its companions. The main file goes last, to never leave companions without it. */
export async function removeDatabase(path: string): Promise<void> {
  for (const companion of COMPANIONS.toReversed()) await rm(path + companion, { force: true })
}

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
}

function isMissing(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'
}
