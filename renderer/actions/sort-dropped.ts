/** Dropped paths, sorted by what to do with them. */
export interface Dropped {
  /** Partial downloads, each once: the partial file, or its sidecar if only that was dropped. */
  readonly partials: readonly string[]
  readonly others: readonly string[]
}

const PARTIAL = /\.part(\.json)?$/i

/** Separates partial downloads and their sidecars from files to upload. Pure. */
export function sortDropped(paths: readonly string[]): Dropped {
  const partials = new Set(paths.filter((path) => PARTIAL.test(path)))
  return {
    partials: [...partials].filter((path) => !partials.has(path.replace(/\.json$/i, '')) || !/\.json$/i.test(path)),
    others: paths.filter((path) => !PARTIAL.test(path)),
  }
}
