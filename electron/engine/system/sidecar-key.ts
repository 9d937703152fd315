import { randomBytes } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoCode } from '../core/errno.ts'
import { syncDirectory } from '../files/sync-directory.ts'

const KEY_BYTES = 32
const NAME = 'sidecar.key'

/**
 * The secret that tells sidecars of this user from those that others wrote: 32 bytes in a file of the existing state
 * folder, made at the first call. It lies beside the database, not in it, so that it outlives its loss. Throws the file
 * system's error.
 */
export async function openSidecarKey(stateFolder: string): Promise<Uint8Array> {
  const path = join(stateFolder, NAME)
  const found = await readKey(path)
  if (found !== null) return found
  await createKey(path)
  return (await readKey(path)) ?? randomBytes(KEY_BYTES)
}

/** Null when there is none, or one that a power cut tore. */
async function readKey(path: string): Promise<Uint8Array | null> {
  try {
    const key = await fileSystem.readFile(path)
    return key.length === KEY_BYTES ? key : null
  } catch (failure) {
    if (errnoCode(failure) !== 'ENOENT') throw failure
    return null
  }
}

/** Whole under its name for good, or not there at all. Of two processes that do this together the last one's key stays. */
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
