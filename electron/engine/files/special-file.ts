import type { FileSystem } from '../core/deps.ts'
import { orNull } from './file-errors.ts'

/**
 * Whether a pipe, a socket or a device has the name: a rename would replace it with a file, although other programs
 * communicate through it. For a link it is false, because a rename replaces the link itself, wherever it leads.
 */
export async function isSpecialFile(fileSystem: Pick<FileSystem, 'lstat'>, path: string): Promise<boolean> {
  const found = await orNull(fileSystem.lstat(path))
  return found !== null && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
}
