import { useEffect } from 'react'
import { appStore, placeById } from '../state/app-store.ts'
import { browser, openPlace } from '../state/browse-store.ts'
import { openLocation } from '../state/objects/object-list.ts'
import type { DropTarget } from './drop-target.ts'

/** How long dragged files must rest on a folder or place to open it, milliseconds. */
const RESTS_MS = 900

/** Opens the folder, bucket or place that files are held over, so that they can be dropped deeper inside. */
export function useSpringLoading(target: DropTarget | null): void {
  const inside = target === null || target.key === null ? null : target.location
  const placeId = target?.placeId ?? null
  useEffect(() => {
    if (inside === null && placeId === null) return undefined
    const timer = setTimeout(() => {
      const place = placeById(appStore.getState(), placeId)
      // Copied, to be a different location: the target is no longer the folder's row but the area around all rows.
      if (inside !== null) openLocation(browser, { ...inside })
      else if (place !== null) openPlace(place)
    }, RESTS_MS)
    return () => clearTimeout(timer)
  }, [inside, placeId])
}
