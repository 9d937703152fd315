import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { transformWithOxc } from 'vite'

/**
 * A thread's entry without its types: Node 20 can't strip them, and the sources are what is under test.
 * `source` is relative to `electron/engine/`.
 */
export async function workerUrl(source: string): Promise<URL> {
  const url = new URL(`../../../electron/engine/${source}`, import.meta.url)
  const { code } = await transformWithOxc(await readFile(url, 'utf8'), basename(source))
  return new URL(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
