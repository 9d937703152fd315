// Parts of the window that are shown after the list, if at all. They are separate chunks, so the list need not wait.

import { lazy, useEffect, useState } from 'react'

const sheets = () => import('./open-sheet.tsx')
const importBrowsing = () => import('./browsing.tsx')

type Browsing = Awaited<ReturnType<typeof importBrowsing>>

export const OpenSheet = lazy(() => sheets().then(({ OpenSheet }) => ({ default: OpenSheet })))

let loaded: Browsing | null = null

async function loadBrowsing(): Promise<Browsing> {
  return (loaded ??= await importBrowsing())
}

/**
 * The view of a place if it is wanted; null until it is loaded. What was shown before stays until then: an empty frame
 * would be lower for a moment, and a click on something that moves is lost.
 */
export function useBrowsing(isWanted: boolean): Browsing | null {
  const [found, setFound] = useState(loaded)
  const browsing = found ?? loaded
  const isLacking = isWanted && browsing === null
  useEffect(() => {
    if (isLacking) void loadBrowsing().then(setFound)
  }, [isLacking])
  return isWanted ? browsing : null
}

/** Loads them once the window is idle, so that they are ready for a click. */
export function loadLate(): void {
  requestIdleCallback(() => void Promise.all([sheets(), loadBrowsing()]))
}
