// Folders and places that open while something dragged is held over them, and the way back.

import type { Place, PlaceId } from '../../shared/place/place.ts'
import { appStore } from './app-store.ts'
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

/** Opens a folder or bucket for the time of a drag. */
export function springOpen(location: BrowseLocation): void {
  start ??= shownNow()
  // Copied, to be a different location: the target is no longer the folder's row but the area around all rows.
  openLocation(browser, { ...location })
}

/** Opens a place for the time of a drag. */
export function springOpenPlace(place: Place): void {
  start ??= shownNow()
  openPlace(place)
}

/**
 * Ends a drag. What sprang open stays if something was dropped into it; otherwise all is shown again as it was, as in
 * the Finder.
 */
export function endSprings(isDropped: boolean): void {
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
