import { useEffect } from 'react'
import { browser } from '../state/browse-store.ts'
import { openLocation } from '../state/objects/object-list.ts'
import type { DropTarget } from './drop-target.ts'

/** Files that rest on a folder for so long open it. */
const RESTS_MS = 900

/** Opens the folder or bucket that files are held over, so that they can be dropped further in. */
export function useSpringLoading(target: DropTarget | null): void {
  const inside = target === null || target.key === null ? null : target.location
  useEffect(() => {
    if (inside === null) return undefined
    // A location of its own: the folder is no longer the row that is meant, but what is around all rows.
    const timer = setTimeout(() => openLocation(browser, { ...inside }), RESTS_MS)
    return () => clearTimeout(timer)
  }, [inside])
}
