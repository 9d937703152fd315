// What is beside the list where there is room, and over it where there is none.

import { uiStore, type UiState } from './ui-store.ts'

/** No room for the inspector beside the list: it is a drawer. */
export const NARROW = '(max-width: 899px)'

/** Beside the list where there is room, else over it. */
export function toggleInspector(): void {
  if (window.matchMedia(NARROW).matches) toggleDrawer('inspector')
  else uiStore.setState((state) => ({ inspectorOpen: !state.inspectorOpen }))
}

export function isInspectorShown({ inspectorOpen, drawer }: Pick<UiState, 'inspectorOpen' | 'drawer'>): boolean {
  return window.matchMedia(NARROW).matches ? drawer === 'inspector' : inspectorOpen
}

export function showInspector(): void {
  uiStore.setState(window.matchMedia(NARROW).matches ? { drawer: 'inspector' } : { inspectorOpen: true })
}

export function toggleDrawer(drawer: 'sidebar' | 'inspector'): void {
  uiStore.setState((state) => ({ drawer: state.drawer === drawer ? null : drawer }))
}

export function closeDrawer(): void {
  if (uiStore.getState().drawer !== null) uiStore.setState({ drawer: null })
}
