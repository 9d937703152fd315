/** What was dropped, by what is to be done with it. */
export interface Dropped {
  /** Partial downloads, each once, by the file with the bytes. */
  readonly partials: readonly string[]
  readonly others: readonly string[]
}

const PARTIAL = /\.part(\.json)?$/i

/** Tells partial downloads, and the small files beside them, from what is to be uploaded. Pure. */
export function sortDropped(paths: readonly string[]): Dropped {
  const partials = paths.filter((path) => PARTIAL.test(path)).map((path) => path.replace(/\.json$/i, ''))
  return { partials: [...new Set(partials)], others: paths.filter((path) => !PARTIAL.test(path)) }
}
