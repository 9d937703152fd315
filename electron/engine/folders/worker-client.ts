/** Threads for small files make little garbage; by default Node gives each three times as much room for it. */
export const FILE_THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 } as const

export type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

/** In a package the file lies beside the archive: a thread can't be started from inside it. */
export function builtWorkerUrl(): URL {
  const url = new URL('./small-file-worker.js', import.meta.url)
  return new URL(url.href.replace('app.asar/', 'app.asar.unpacked/'))
}
