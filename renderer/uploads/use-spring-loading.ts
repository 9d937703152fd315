import { useEffect } from 'react'
import { SPRING_MS } from '../../shared/limits.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { springOpen, springOpenPlace } from '../state/springs.ts'
import type { DropTarget } from './drop-target.ts'

/** Opens the folder, bucket or place that files are held over, so that they can be dropped deeper inside. */
export function useSpringLoading(target: DropTarget | null): void {
  const inside = target === null || target.key === null ? null : target.location
  const placeId = target?.placeId ?? null
  useEffect(() => {
    if (inside === null && placeId === null) return undefined
    const timer = setTimeout(() => {
      const place = placeById(appStore.getState(), placeId)
      if (inside !== null) springOpen(inside)
      else if (place !== null) springOpenPlace(place)
    }, SPRING_MS)
    return () => clearTimeout(timer)
  }, [inside, placeId])
}
