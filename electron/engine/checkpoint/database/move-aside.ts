// Moves a damaged database out of the way. Its log holds what is newest, so nothing may happen to that.

import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../../../durable/sync-directory.ts'
import { errnoCode } from '../../../errno/errno.ts'
import { CheckpointError } from './checkpoint-error.ts'
import { copyReadable } from './copy-readable.ts'
import { COMPANIONS, damagedPath, isThere, removeDatabase } from './database-files.ts'

/** Windows moves and deletes no open file. */
const IS_OPEN = new Set(['EBUSY', 'EPERM', 'EACCES'])

/** Tells the file at `path` from another that has its name later. */
export async function fileIdOf(path: string): Promise<bigint> {
  return (await stat(path, { bigint: true })).ino
}

/**
 * Moves the damaged database at `path`, the file of that id, to `damagedPath` and ends its connection by `close`. SQLite
 * leaves the log of a database alone that was moved while it was open; on Windows, where that can't be done, the log is
 * copied first. Under the connection's lock no other process opens the database; where a damaged one can't be locked, the
 * id shows that another process was faster. Throws CheckpointError `in-use` then, otherwise the file system's error.
 */
export async function moveAside(path: string, fileId: bigint, close: () => void): Promise<void> {
  let isClosed = false
  const end = () => {
    if (!isClosed) close()
    isClosed = true
  }
  try {
    if ((await fileIdOf(path)) !== fileId)
      throw new CheckpointError('in-use', `Another Sluice moves this file: ${path}`)
    // An earlier damaged database that was not copied yet is worth more than the one that was to be its copy.
    const isCopy = await isThere(damagedPath(path))
    // The main file goes last: as long as it is there, no other process takes the companions for leftovers.
    if (!isCopy) for (const companion of COMPANIONS.slice(1)) await moveCompanion(path, companion)
    const take = () => (isCopy ? removeDatabase(path) : rename(path, damagedPath(path)))
    if (!(await unlessOpen(take))) {
      end()
      await take()
    }
    // Where the drive can't, the moves are in the right order all the same.
    await syncDirectory({ open }, dirname(path)).catch(() => undefined)
  } finally {
    end()
  }
}

/** Whether a move was interrupted when the log had been moved. SQLite has begun a new one since. */
export async function isHalfMoved(path: string): Promise<boolean> {
  return (await isThere(`${damagedPath(path)}-wal`)) && !(await isThere(damagedPath(path)))
}

/** Finishes a move of which only the main file came to the disk: beside a new one, SQLite would use the log for that. */
export async function finishMovingAside(path: string): Promise<void> {
  if (!(await isThere(damagedPath(path))) || (await isThere(path))) return
  for (const companion of COMPANIONS.slice(1)) await moveCompanion(path, companion)
}

async function moveCompanion(path: string, companion: string): Promise<void> {
  const [from, to] = [path + companion, damagedPath(path) + companion]
  if (!(await isThere(from))) return
  // An interrupted move: what is there now was begun since, or copied then.
  if (await isThere(to)) return void (await unlessOpen(() => rm(from)))
  if (await unlessOpen(() => rename(from, to))) return
  const unnamed = `${to}.new`
  await rm(unnamed, { force: true })
  await copyReadable(from, unnamed)
  await rename(unnamed, to)
}

/** Resolves with false if the system refuses because the file is open. */
async function unlessOpen(change: () => Promise<void>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (failure) {
    if (IS_OPEN.has(errnoCode(failure) ?? '')) return false
    throw failure
  }
}
