import type { FileSystem } from '../core/deps.ts'
import { orNull } from './file-errors.ts'

/**
 * Whether a pipe, a socket or a device has the name: what a rename would put a file in the place of, although other
 * programs speak through it. A link is replaced itself, wherever it leads.
 */
export async function isSpecialFile(fileSystem: Pick<FileSystem, 'lstat'>, path: string): Promise<boolean> {
  const found = await orNull(fileSystem.lstat(path))
  return found !== null && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
}
