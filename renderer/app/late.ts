// Parts of the window that are shown after the list, if at all. They are separate chunks, so the list need not wait.

import { lazy } from 'react'

const sheets = () => import('./open-sheet.tsx')
const browsing = () => import('./browsing.tsx')

export const OpenSheet = lazy(() => sheets().then(({ OpenSheet }) => ({ default: OpenSheet })))
export const BrowseToolbar = lazy(() => browsing().then(({ BrowseToolbar }) => ({ default: BrowseToolbar })))
export const BrowseView = lazy(() => browsing().then(({ BrowseView }) => ({ default: BrowseView })))
export const ObjectInspector = lazy(() => browsing().then(({ ObjectInspector }) => ({ default: ObjectInspector })))

/** Loads them once the window is idle, so that they are ready for a click. */
export function loadLate(): void {
  requestIdleCallback(() => void Promise.all([sheets(), browsing()]))
}
