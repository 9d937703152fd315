import { request } from '../bridge.ts'
import { run, uiStore } from './ui-store.ts'

/** Shows the list as it was left, and keeps how it is left. Returns a function that stops it. */
export function connectKeptView(): () => void {
  run(
    request('view:get', null).then((view) => {
      if (view !== null)
        uiStore.setState({ sort: view.sort, collapsed: new Set(view.collapsed), columns: view.columns })
    }),
  )
  return uiStore.subscribe(({ sort, collapsed, columns }, before) => {
    if (sort === before.sort && collapsed === before.collapsed && columns === before.columns) return
    run(request('view:set', { sort, collapsed: [...collapsed], columns }))
  })
}
