// The panes that are beside the list if there is room, and over it otherwise.

import { uiStore, type UiState } from './ui-store.ts'

/** The window is too narrow for the inspector beside the list, so that it becomes a drawer. */
export const NARROW = '(max-width: 899px)'

/** Shows or hides the inspector, beside the list if there is room, or else over it. */
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
