import { basename, dirname, join } from 'node:path'
import type { FileSystem } from '../core/deps.ts'
import { isSameFile } from './hard-links.ts'

/**
 * The name of the file at `path` as used in a key: in composed form (NFC), as other systems write it, if the volume
 * takes both forms for the same name, as macOS volumes do; else unchanged.
 */
export async function composedName(path: string, { lstat }: Pick<FileSystem, 'lstat'>): Promise<string> {
  const name = basename(path)
  const other = name.normalize('NFC')
  if (other === name) return name
  const [one, two] = await Promise.all([name, other].map((each) => lstat(join(dirname(path), each)).catch(() => null)))
  return isSameFile(one, two) ? other : name
}
