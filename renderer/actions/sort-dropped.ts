/** What was dropped, by what is to be done with it. */
export interface Dropped {
  /** Partial downloads, each once: the file with the bytes, or the one beside it where that alone was dropped. */
  readonly partials: readonly string[]
  readonly others: readonly string[]
}

const PARTIAL = /\.part(\.json)?$/i

/** Tells partial downloads, and the small files beside them, from what is to be uploaded. Pure. */
export function sortDropped(paths: readonly string[]): Dropped {
  const partials = new Set(paths.filter((path) => PARTIAL.test(path)))
  return {
    partials: [...partials].filter((path) => !partials.has(path.replace(/\.json$/i, '')) || !/\.json$/i.test(path)),
    others: paths.filter((path) => !PARTIAL.test(path)),
  }
}
