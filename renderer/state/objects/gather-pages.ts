import type { Entry } from './listing.ts'

/** However fast pages arrive, the window processes its list no more often than this, milliseconds. */
const PAUSE_MS = 250

/** Collects pages on their way into a listing. */
export interface PageGatherer {
  /** Shows a page at once, or together with others that arrive within a pause. */
  readonly add: (entries: readonly Entry[], nextMarker: string | null) => void
  /** Shows the pages that are held back. */
  readonly flush: () => void
  /** Drops the pages that are held back, because their folder is no longer shown. */
  readonly drop: () => void
}

/** Passes pages on together if they arrive fast. The last one, whose marker is null, never waits. */
export function gatherPages(show: (entries: readonly Entry[], nextMarker: string | null) => void): PageGatherer {
  let held: { readonly entries: Entry[]; nextMarker: string | null } | null = null
  let pause: ReturnType<typeof setTimeout> | null = null

  function flush(): void {
    const page = held
    held = null
    if (page !== null) show(page.entries, page.nextMarker)
  }

  function rest(): void {
    pause = setTimeout(() => {
      pause = null
      if (held === null) return
      flush()
      rest()
    }, PAUSE_MS)
  }

  return {
    add(entries, nextMarker) {
      held ??= { entries: [], nextMarker }
      for (const entry of entries) held.entries.push(entry)
      held.nextMarker = nextMarker
      if (pause !== null && nextMarker !== null) return
      flush()
      if (pause === null) rest()
    },
    flush,
    drop() {
      held = null
      if (pause !== null) clearTimeout(pause)
      pause = null
    },
  }
}
