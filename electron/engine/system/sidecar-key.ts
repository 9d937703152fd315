import { randomBytes } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { orNull } from '../files/file-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'

const KEY_BYTES = 32
const NAME = 'sidecar.key'

/**
 * The secret that tells this user's sidecars from those that others wrote: 32 bytes in a file in the existing state
 * folder, created by the first call. The file lies beside the database, not in it, to survive its loss. Throws the file
 * system's error.
 */
export async function openSidecarKey(stateFolder: string): Promise<Uint8Array> {
  const path = join(stateFolder, NAME)
  const found = await readKey(path)
  if (found !== null) return found
  await createKey(path)
  return (await readKey(path)) ?? randomBytes(KEY_BYTES)
}

/** Reads the key; null when there is none, or something else is in its place, such as a file that a power cut tore. */
async function readKey(path: string): Promise<Uint8Array | null> {
  const key = await orNull(readSmallFile(fileSystem, path, KEY_BYTES))
  return key?.length === KEY_BYTES ? key : null
}

/** Durably creates a whole key file, or none. If two processes do this at the same time, the last one's key stays. */
async function createKey(path: string): Promise<void> {
  const newPath = `${path}.${randomBytes(4).toString('hex')}.new`
  const handle = await fileSystem.open(newPath, 'wx', 0o600)
  try {
    await handle.writeFile(randomBytes(KEY_BYTES))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await fileSystem.rename(newPath, path)
  await syncDirectory(fileSystem, dirname(path))
}
