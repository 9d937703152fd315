import type { PlaceId } from '../../shared/place/place.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { browser, shownLocation } from '../state/browse-store.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { uiStore } from '../state/ui/ui-store.ts'

/** Where files that are dropped at a point of the window go. */
export interface DropTarget {
  /** Null: the current place, at its top. Without a bucket, a person is asked which. */
  readonly location: BrowseLocation | null
  /** The row of the folder or bucket that is meant. */
  readonly key: string | null
  /** The place of the sidebar that is meant. */
  readonly placeId: PlaceId | null
  /** The list of buckets is shown, and none of them is meant. */
  readonly needsBucket: boolean
}

/** The place, folder or bucket under the pointer, else the folder that is open. Reads the stores. */
export function dropTarget(under: EventTarget | null): DropTarget {
  const place = placeById(appStore.getState(), markOf(under, 'place'))
  if (place !== null) {
    const location = { placeId: place.id, bucket: place.bucket, prefix: '' }
    return { location, key: null, placeId: place.id, needsBucket: false }
  }
  return targetInView(markOf(under, 'drop'))
}

function targetInView(key: string | null): DropTarget {
  const { location } = browser.store.getState()
  const isBrowsing = uiStore.getState().view === 'browse' && location !== null
  if (!isBrowsing || key === null) {
    return { location: shownLocation(), key: null, placeId: null, needsBucket: isBrowsing && location.bucket === '' }
  }
  const isBucket = location.bucket === ''
  const inside = isBucket ? { ...location, bucket: key } : { ...location, prefix: key }
  return { location: inside, key, placeId: null, needsBucket: false }
}

/** `data-<name>` of what is under the pointer, or around that. */
function markOf(under: EventTarget | null, name: 'drop' | 'place'): string | null {
  const marked = under instanceof Element ? under.closest<HTMLElement>(`[data-${name}]`) : null
  return marked?.dataset[name] ?? null
}

export function isSame(one: DropTarget, other: DropTarget): boolean {
  if (one.placeId !== other.placeId) return false
  return one.placeId !== null || one.location === other.location || (one.key !== null && one.key === other.key)
}
