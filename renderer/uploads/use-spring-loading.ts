import { useEffect } from 'react'
import { appStore, placeById } from '../state/app-store.ts'
import { browser, openPlace } from '../state/browse-store.ts'
import { openLocation } from '../state/objects/object-list.ts'
import type { DropTarget } from './drop-target.ts'

/** Files that rest on a folder or place for so long open it. */
const RESTS_MS = 900

/** Opens the folder, bucket or place that files are held over, so that they can be dropped further in. */
export function useSpringLoading(target: DropTarget | null): void {
  const inside = target === null || target.key === null ? null : target.location
  const placeId = target?.placeId ?? null
  useEffect(() => {
    if (inside === null && placeId === null) return undefined
    const timer = setTimeout(() => {
      const place = placeById(appStore.getState(), placeId)
      // A location of its own: the folder is no longer the row that is meant, but what is around all rows.
      if (inside !== null) openLocation(browser, { ...inside })
      else if (place !== null) openPlace(place)
    }, RESTS_MS)
    return () => clearTimeout(timer)
  }, [inside, placeId])
}
