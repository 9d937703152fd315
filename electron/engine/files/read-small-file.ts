import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { errnoCode, isUnreadable } from '../../errno/errno.ts'

/** What is read from; Node's own calls are, too. */
interface Opener {
  open(path: string, flags: number): Promise<Pick<FileHandle, 'stat' | 'readFile' | 'close'>>
}

/** Opening a pipe would wait for its writer, and keep one of Node's few threads for files. Windows has no such flag. */
const WITHOUT_WAITING = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)

/** For a socket, and for links that lead to each other. */
const NO_FILE_CODES = new Set(['ENXIO', 'ELOOP'])

/**
 * Reads a file that should have at most `maxBytes`. Returns null when something else is there: a longer file, which
 * could take all memory, a folder, a pipe or a device, or a file on a sector that can't be read. Throws the file
 * system's error: ENOENT if nothing is there.
 */
export async function readSmallFile(fileSystem: Opener, path: string, maxBytes: number): Promise<Buffer | null> {
  const file = await fileSystem.open(path, WITHOUT_WAITING).catch((failure: unknown) => {
    if (NO_FILE_CODES.has(errnoCode(failure) ?? '')) return null
    throw failure
  })
  if (file === null) return null
  try {
    const facts = await file.stat()
    return facts.isFile() && facts.size <= maxBytes ? await file.readFile() : null
  } catch (failure) {
    if (isUnreadable(failure)) return null
    throw failure
  } finally {
    await file.close()
  }
}
