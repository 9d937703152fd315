import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSameFile } from './hard-links.ts'

/**
 * The name of the file at `path` as a key has it: in composed form (NFC), as other systems write it, where the volume
 * takes both forms for one name, as those of macOS do; else as it is.
 */
export async function composedName(path: string): Promise<string> {
  const name = basename(path)
  const other = name.normalize('NFC')
  if (other === name) return name
  const [one, two] = await Promise.all([name, other].map((each) => lstat(join(dirname(path), each)).catch(() => null)))
  return isSameFile(one, two) ? other : name
}
