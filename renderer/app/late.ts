// What a window shows later than its list, if at all: chunks of their own, so that the list need not wait for them.

import { lazy } from 'react'

const sheets = () => import('./open-sheet.tsx')
const browsing = () => import('./browsing.tsx')

export const OpenSheet = lazy(() => sheets().then(({ OpenSheet }) => ({ default: OpenSheet })))
export const BrowseToolbar = lazy(() => browsing().then(({ BrowseToolbar }) => ({ default: BrowseToolbar })))
export const BrowseView = lazy(() => browsing().then(({ BrowseView }) => ({ default: BrowseView })))
export const ObjectInspector = lazy(() => browsing().then(({ ObjectInspector }) => ({ default: ObjectInspector })))

/** Loads them once the window has nothing else to do, so that a click finds them. */
export function loadLate(): void {
  requestIdleCallback(() => void Promise.all([sheets(), browsing()]))
}
