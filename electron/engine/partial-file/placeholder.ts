// Without hard links, an empty file holds the final name until the partial file takes its place.

import type { BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import type { FileSystem } from '../core/deps.ts'
import type { Placeholder, Publishing } from '../core/records.ts'
import { orNull } from '../files/file-errors.ts'
import { COARSEST_TIME_MS } from '../files/file-time.ts'
import { hasNumber } from '../files/hard-links.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'

/** Creates a placeholder; throws EEXIST when something has the name. */
export async function makePlaceholder(fileSystem: FileSystem, path: string): Promise<Placeholder> {
  const handle = await fileSystem.open(path, 'wx')
  try {
    const { ino, mtimeMs } = await handle.stat({ bigint: true })
    return { fileId: String(ino), modifiedMs: Number(mtimeMs) }
  } finally {
    await handle.close()
  }
}

/**
 * Durably deletes the placeholder that a stop, or a failed rename, left under a final name. Must be called before the
 * record's publishing is forgotten: nothing else tells that the empty file is ours to delete.
 */
export async function removePlaceholder(fileSystem: FileSystem, publishing: Publishing | null): Promise<void> {
  if (publishing?.isPlaceholder !== true) return
  const { finalPath } = publishing
  const found = await orNull(fileSystem.lstat(finalPath, { bigint: true }))
  if (found?.isFile() !== true || found.size !== 0n || !isPlaceholder(found, publishing)) return
  await orNull(fileSystem.unlink(finalPath))
  // Without this a power cut could bring it back.
  await orNull(syncDirectory(fileSystem, dirname(finalPath)))
}

/** Compares times, too: FAT renumbers files when the drive was away. After an early stop neither may be known. */
function isPlaceholder(found: BigIntStats, { fileId, placeholder }: Publishing): boolean {
  const number = hasNumber(found) ? String(found.ino) : null
  // It is the partial file of an empty object, and has its name already.
  if (number !== null && number === fileId) return false
  if (placeholder === undefined || number === placeholder.fileId) return true
  return Math.abs(Number(found.mtimeMs) - placeholder.modifiedMs) < COARSEST_TIME_MS
}
