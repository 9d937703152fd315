// The files of a database: which there are, who may read them, how they are made and deleted.

import { randomUUID } from 'node:crypto'
import { access, chmod, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { emptyDatabase } from './empty-database.ts'

/** Suffixes of a database's files, main file first. They belong together: apart, they are a damaged database. */
export const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const

/** Where a damaged database is kept until its rows are in the new one. */
export function damagedPath(path: string): string {
  return `${path}.damaged`
}

/** Lets only its owner read the file, its copies and its companions. SQLite creates new companions with the same mode. */
export async function hideFromOthers(path: string): Promise<void> {
  try {
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

/**
 * Creates a database without tables if there is none. It has its first page before it has its name, so a file without
 * content is one that has lost it. Never opens an existing file: closing it would release the lock of another opener in
 * this process (POSIX). Throws the file system's error.
 */
export async function createIfMissing(path: string): Promise<void> {
  if (await isThere(path)) return
  const unnamed = `${path}.new-${randomUUID()}`
  try {
    const file = await open(unnamed, 'wx', 0o600)
    try {
      await file.writeFile(emptyDatabase())
      await file.sync()
    } finally {
      await file.close()
    }
    await link(unnamed, path).catch(async () => {
      // Another opener was first, or there are no hard links.
      if (!(await isThere(path))) await rename(unnamed, path)
    })
  } finally {
    await rm(unnamed, { force: true })
  }
}

/** Whether a database has lost all of its content, as after a power cut or by a program that copies files. */
export async function isEmptied(path: string): Promise<boolean> {
  const found = await stat(path)
  return found.isFile() && found.size === 0
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
