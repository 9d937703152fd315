import type { MeasuredPage } from '../../shared/ipc/object-requests.ts'

/** Counting stops at this many objects or pages. The download itself counts them all. */
const MOST_OBJECTS = 100_000
const MOST_PAGES = 1000

/** The size of a folder, as far as it is known. */
export interface FolderSize {
  readonly objects: number
  readonly sizeBytes: number
  /** `more`: there are more than anybody would wait for. `failed`: the listing broke off. */
  readonly state: 'counting' | 'counted' | 'more' | 'failed'
}

export const NOT_COUNTED: FolderSize = { objects: 0, sizeBytes: 0, state: 'counting' }

/** Counts a folder page by page and calls `tell` after each. Ends silently when `signal` is aborted. Never throws. */
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

/** Adds up sizes. The sum is as certain as the least certain size. Pure. */
export function sumSizes(sizes: readonly FolderSize[]): FolderSize {
  const states = new Set(sizes.map(({ state }) => state))
  const state = (['counting', 'failed', 'more'] as const).find((each) => states.has(each)) ?? 'counted'
  return {
    objects: sizes.reduce((sum, size) => sum + size.objects, 0),
    sizeBytes: sizes.reduce((sum, size) => sum + size.sizeBytes, 0),
    state,
  }
}
