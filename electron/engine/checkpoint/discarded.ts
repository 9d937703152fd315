// Databases that are no longer needed, but could not be deleted when they were closed.

import { readdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orNull } from '../files/file-errors.ts'
import { filesOf, isThere } from './database/database-files.ts'

/** Deletes one file; rejects when the system refuses, as Windows does while the file is open. */
export type DeleteFile = (path: string) => Promise<void>

/**
 * Deletes a database with its copies and companions, and then its mark. Never rejects; returns false when some files
 * are left, because libsql keeps a file open until its statements are collected, or a virus scanner reads it.
 */
export async function deleteDatabase(path: string, deleteFile: DeleteFile = unlink): Promise<boolean> {
  // Somebody may have deleted the whole folder.
  const there = (await orNull(filesOf(path))) ?? []
  const files = there.filter((file) => file !== markOf(path))
  const results = await Promise.allSettled(files.map((file) => deleteFile(file)))
  const isGone = results.every(({ status }) => status === 'fulfilled')
  if (isGone) await unmark(path)
  return isGone
}

/** Deletes the marked databases named `name` in the folders below `stateFolder`. */
export async function deleteDiscarded(stateFolder: string, name: string): Promise<void> {
  for (const folder of await readdir(stateFolder)) {
    const path = join(stateFolder, folder, name)
    if (!(await isThere(markOf(path))) || !(await deleteDatabase(path))) continue
    // The same command may have been started again, and keep its state there.
    await rmdir(join(stateFolder, folder)).catch(() => undefined)
  }
}

/** Marks a database as discarded. Call it under its lock only: the mark is then true until the next opener has it. */
export async function mark(path: string): Promise<void> {
  // Without the mark the database stays, which does no harm.
  await writeFile(markOf(path), '').catch(() => undefined)
}

/** Removes the mark, because the database is needed again, or gone. */
export async function unmark(path: string): Promise<void> {
  await rm(markOf(path), { force: true }).catch(() => undefined)
}

function markOf(path: string): string {
  return `${path}.discarded`
}
