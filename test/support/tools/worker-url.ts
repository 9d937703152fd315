import { readFile } from 'node:fs/promises'
import { transformWithOxc } from 'vite'

const urls = new Map<string, Promise<URL>>()

/**
 * A thread's entry without its types: Node 20 can't strip them, and the sources are what is under test.
 * `source` is relative to `electron/engine/`.
 */
export function workerUrl(source: string): Promise<URL> {
  const url = urls.get(source) ?? moduleUrl(new URL(`../../../electron/engine/${source}`, import.meta.url))
  urls.set(source, url)
  return url
}

/** What it imports of ours goes along. */
async function moduleUrl(url: URL): Promise<URL> {
  let { code } = await transformWithOxc(await readFile(url, 'utf8'), url.pathname)
  for (const [, specifier = ''] of [...code.matchAll(/ from "(\.[^"]+)"/g)]) {
    const imported = await moduleUrl(new URL(specifier, url))
    code = code.replace(` from "${specifier}"`, () => ` from "${imported.href}"`)
  }
  return new URL(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}
