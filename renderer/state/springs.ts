// Folders and places that open while something dragged is held over them, and the way back.

import { SPRING_MS } from '../../shared/limits.ts'
import type { PlaceId } from '../../shared/place/place.ts'
import { appStore, placeById } from './app-store.ts'
import { browser, openPlace } from './browse-store.ts'
import type { BrowseLocation } from './objects/location.ts'
import { openLocation, searchBelow, type ObjectListState } from './objects/object-list.ts'
import { uiStore, type UiState } from './ui/ui-store.ts'

/** What was shown before the first of them opened. */
interface Start {
  readonly view: UiState['view']
  readonly currentPlaceId: PlaceId | null
  readonly browsed: ObjectListState
}

let start: Start | null = null

/** A folder or bucket, or a place. */
export type Spring =
  ({ readonly kind: 'location' } & BrowseLocation) | { readonly kind: 'place'; readonly placeId: PlaceId }

let held: { readonly key: string; readonly timer: ReturnType<typeof setTimeout> } | null = null

/**
 * Notes what is under something dragged; null: nothing that opens. It opens for the time of the drag once the pointer has
 * stayed on it, so that things can be dropped deeper inside.
 */
export function holdOver(spring: Spring | null): void {
  const key = spring === null ? null : JSON.stringify(spring)
  if (key === (held?.key ?? null)) return
  clearTimeout(held?.timer)
  held = spring === null || key === null ? null : { key, timer: setTimeout(() => springOpen(spring), SPRING_MS) }
}

function springOpen(spring: Spring): void {
  const place = placeById(appStore.getState(), spring.placeId)
  if (place === null) return
  start ??= shownNow()
  if (spring.kind === 'place') return openPlace(place)
  // A new location: the target is no longer the folder's row but the area around all rows.
  const { placeId, bucket, prefix } = spring
  openLocation(browser, { placeId, bucket, prefix })
}

/**
 * Ends a drag. What sprang open stays if something was dropped into it; otherwise all is shown again as it was, as in
 * the Finder.
 */
export function endSprings(isDropped: boolean): void {
  holdOver(null)
  const from = start
  start = null
  if (from === null || isDropped) return
  const { view, currentPlaceId, browsed } = from
  const { location, sought, selection, anchorKey, focusedKey } = browsed
  uiStore.setState({ view })
  appStore.setState({ currentPlaceId })
  if (location === null) return
  openLocation(browser, { ...location })
  if (sought !== null) searchBelow(browser, sought)
  browser.store.setState({ selection, anchorKey, focusedKey })
}

function shownNow(): Start {
  return {
    view: uiStore.getState().view,
    currentPlaceId: appStore.getState().currentPlaceId,
    browsed: browser.store.getState(),
  }
}
