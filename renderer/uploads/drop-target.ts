import type { PlaceId } from '../../shared/place/place.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { browser, shownLocation } from '../state/browse-store.ts'
import { topOf, type BrowseLocation } from '../state/objects/location.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { markOf } from '../ui/overlays/mark-of.ts'

/** Where files go that are dropped at a point of the window. */
export interface DropTarget {
  /** Null: the top of the current place. Without a bucket, the person is asked for one. */
  readonly location: BrowseLocation | null
  /** The row of the folder or bucket under the pointer, or the step of the path. */
  readonly key: string | null
  /** The place in the sidebar under the pointer. */
  readonly placeId: PlaceId | null
  /** Whether the list of buckets is shown and the pointer is on none of them. */
  readonly needsBucket: boolean
}

/** The place, folder or bucket under the pointer, or else the open folder. Reads the stores. */
export function dropTarget(under: EventTarget | null): DropTarget {
  const place = placeById(appStore.getState(), markOf(under, 'place'))
  if (place !== null) {
    return { location: topOf(place), key: null, placeId: place.id, needsBucket: false }
  }
  return targetInView(markOf(under, 'drop'))
}

function targetInView(key: string | null): DropTarget {
  const { location } = browser.store.getState()
  const isBrowsing = uiStore.getState().view === 'browse' && location !== null
  // The last step of the path is the open folder.
  if (!isBrowsing || key === null || (location.bucket !== '' && key === location.prefix)) {
    return { location: shownLocation(), key: null, placeId: null, needsBucket: isBrowsing && location.bucket === '' }
  }
  const isBucket = location.bucket === ''
  const inside = isBucket ? { ...location, bucket: key } : { ...location, prefix: key }
  return { location: inside, key, placeId: null, needsBucket: false }
}

export function isSame(one: DropTarget, other: DropTarget): boolean {
  if (one.placeId !== other.placeId) return false
  return one.placeId !== null || one.location === other.location || (one.key !== null && one.key === other.key)
}
