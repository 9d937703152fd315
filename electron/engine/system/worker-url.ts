import { readFile } from 'node:fs/promises'

const NAMES = ['hash-worker', 'small-file-worker', 'source-files-worker'] as const

/** The worker threads of the engine. Each is a built file beside the program's own. */
export type WorkerName = (typeof NAMES)[number]

/** Read before anything runs: threads started later must be what was there at the start. */
const urls = new Map(
  await Promise.all(
    NAMES.map(async (name) => [name, await threadUrl(new URL(`./${name}.js`, import.meta.url))] as const),
  ),
)

/** The URL to start a built thread from. */
export function builtWorkerUrl(name: WorkerName): URL {
  const url = urls.get(name)
  if (url === undefined) throw new Error(`There is no worker thread named ${name}`)
  return url
}

/**
 * A thread can't be started from inside a package's archive, and files beside the archive are not covered by its
 * checksums. So the script is read from the archive and passed as data. It must import only Node's own modules.
 */
export async function threadUrl(script: URL): Promise<URL> {
  if (!script.pathname.includes('/app.asar/')) return script
  return new URL(`data:text/javascript;base64,${(await readFile(script)).toString('base64')}`)
}
