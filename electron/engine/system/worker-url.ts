/** The threads of the engine, each a built file beside the program's own. */
export type WorkerName = 'hash-worker' | 'small-file-worker' | 'source-files-worker'

/** Where a built thread is. In a package it lies beside the archive: a thread can't be started from inside it. */
export function builtWorkerUrl(name: WorkerName): URL {
  const url = new URL(`./${name}.js`, import.meta.url)
  return new URL(url.href.replace('app.asar/', 'app.asar.unpacked/'))
}
