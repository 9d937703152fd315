// Databases that are not needed any more, and that could not be deleted when they were closed.

import { access, readdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf } from './database/database-files.ts'

/** Deletes one file; rejects where the system refuses, as Windows does with a file that is open. */
export type DeleteFile = (path: string) => Promise<void>

/**
 * Deletes a database, its copies and companions, and its mark once they are gone. Never rejects; false: some are left,
 * because libsql keeps a file open until its statements are collected, or a virus scanner reads it.
 */
export async function deleteDatabase(path: string, deleteFile: DeleteFile = unlink): Promise<boolean> {
  const files = (await filesOf(path)).filter((file) => file !== markOf(path))
  const results = await Promise.allSettled(files.map((file) => deleteFile(file)))
  const isGone = results.every(({ status }) => status === 'fulfilled')
  if (isGone) await unmark(path)
  return isGone
}

/** Deletes the marked ones in the folders below `stateFolder`; `name` is what they are called. */
export async function deleteDiscarded(stateFolder: string, name: string): Promise<void> {
  for (const folder of await readdir(stateFolder)) {
    const path = join(stateFolder, folder, name)
    if (!(await isMarked(path)) || !(await deleteDatabase(path))) continue
    // The same command may have begun anew, and keep its state there.
    await rmdir(join(stateFolder, folder)).catch(() => undefined)
  }
}

/** Only under the lock of the database: what it says is then true until the next opener has the lock. */
export async function mark(path: string): Promise<void> {
  // Without the mark the database stays, and does no harm.
  await writeFile(markOf(path), '').catch(() => undefined)
}

/** What is in the database is needed again, or it is gone. */
export async function unmark(path: string): Promise<void> {
  await rm(markOf(path), { force: true }).catch(() => undefined)
}

function isMarked(path: string): Promise<boolean> {
  return access(markOf(path)).then(
    () => true,
    () => false,
  )
}

function markOf(path: string): string {
  return `${path}.discarded`
}
