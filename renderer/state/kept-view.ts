import { request } from '../bridge.ts'
import { run, uiStore, type UiState } from './ui-store.ts'

/** What of the window is kept. */
const KEPT = ['sort', 'collapsed', 'columns', 'isCompact'] as const satisfies readonly (keyof UiState)[]

/** Shows the list as it was left, and keeps how it is left. Returns a function that stops it. */
export function connectKeptView(): () => void {
  run(
    request('view:get', null).then((view) => {
      if (view !== null) uiStore.setState({ ...view, collapsed: new Set(view.collapsed) })
    }),
  )
  return uiStore.subscribe((state, before) => {
    if (KEPT.every((name) => state[name] === before[name])) return
    const { sort, collapsed, columns, isCompact } = state
    run(request('view:set', { sort, collapsed: [...collapsed], columns, isCompact }))
  })
}
