import { browseStore, shownSpot } from '../state/browse-store.ts'
import type { Spot } from '../state/spot.ts'
import { uiStore } from '../state/ui-store.ts'

/** Where files that are dropped at a point of the window go. */
export interface DropTarget {
  /** Null: the current place, at its top. */
  readonly spot: Spot | null
  /** The row of the folder or bucket that is meant. */
  readonly key: string | null
  /** The list of buckets is shown, and none of them is meant. */
  readonly needsBucket: boolean
}

/** The folder or bucket under the pointer, else the folder that is open. Reads the stores. */
export function dropTarget(under: EventTarget | null): DropTarget {
  const { spot } = browseStore.getState()
  const isBrowsing = uiStore.getState().view === 'browse' && spot !== null
  const row = under instanceof Element ? under.closest<HTMLElement>('[data-drop]') : null
  const key = row?.dataset['drop'] ?? null
  if (!isBrowsing || key === null) {
    return { spot: shownSpot(), key: null, needsBucket: isBrowsing && spot.bucket === '' }
  }
  const isBucket = spot.bucket === ''
  return { spot: isBucket ? { ...spot, bucket: key } : { ...spot, prefix: key }, key, needsBucket: false }
}

export function isSame(one: DropTarget, other: DropTarget): boolean {
  return one.spot === other.spot || (one.key !== null && one.key === other.key)
}
