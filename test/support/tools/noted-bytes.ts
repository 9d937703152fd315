import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many bytes the sidecars in a folder say were written; 0 while there is none. */
export async function notedBytes(folder: string): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.part.json'))
  const sidecars = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const notes = [...sidecars.join('\n').matchAll(/^\[(\d+),(\d+),\d+\]$/gm)]
  return notes.reduce((sum, [, start, end]) => sum + Number(end) - Number(start), 0)
}
