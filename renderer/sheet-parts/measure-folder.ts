import type { MeasuredPage } from '../../shared/ipc/object-requests.ts'

/** A folder of more objects or pages is not counted to its end: the download counts by itself. */
const MOST_OBJECTS = 100_000
const MOST_PAGES = 1000

/** What a folder comes to, as far as it is known. */
export interface FolderSize {
  readonly objects: number
  readonly sizeBytes: number
  /** `more`: there are more than anybody would wait for. `failed`: the listing ended early. */
  readonly state: 'counting' | 'counted' | 'more' | 'failed'
}

export const NOT_COUNTED: FolderSize = { objects: 0, sizeBytes: 0, state: 'counting' }

/** Counts a folder page by page and tells after each. Ends early, and silently, with `signal`. Never throws. */
export async function measureFolder(
  pageAfter: (marker: string | null) => Promise<MeasuredPage>,
  tell: (size: FolderSize) => void,
  signal: AbortSignal,
): Promise<void> {
  let size = NOT_COUNTED
  let marker: string | null = null
  let pages = 0
  do {
    const page: MeasuredPage | null = await pageAfter(marker).catch(() => null)
    if (signal.aborted) return
    if (page === null) return tell({ ...size, state: 'failed' })
    marker = page.nextMarker
    const objects = size.objects + page.objects
    pages += 1
    const goesOn = objects < MOST_OBJECTS && pages < MOST_PAGES ? 'counting' : 'more'
    size = { objects, sizeBytes: size.sizeBytes + page.sizeBytes, state: marker === null ? 'counted' : goesOn }
    tell(size)
  } while (size.state === 'counting')
}

/** Sums what is picked; it is as certain as the least certain of the folders. Pure. */
export function sumSizes(sizes: readonly FolderSize[]): FolderSize {
  const states = new Set(sizes.map(({ state }) => state))
  const state = (['counting', 'failed', 'more'] as const).find((each) => states.has(each)) ?? 'counted'
  return {
    objects: sizes.reduce((sum, size) => sum + size.objects, 0),
    sizeBytes: sizes.reduce((sum, size) => sum + size.sizeBytes, 0),
    state,
  }
}
