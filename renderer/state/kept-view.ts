import type { QueueView } from '../../shared/transfer/queue-view.ts'
import { request } from '../bridge.ts'
import { run } from './ui/messages.ts'
import { uiStore, type UiState } from './ui/ui-store.ts'

/** The members of the window's state that are kept. */
const KEPT = [
  'sort',
  'collapsed',
  'columns',
  'isCompact',
  'buckets',
  'entryWidths',
] as const satisfies readonly (keyof UiState)[]

/** Restores the view of the list, and keeps its changes. Returns a function that stops this. */
export function connectKeptView(): () => void {
  const usual = JSON.stringify(viewOf(uiStore.getState()))
  let kept = usual
  run(
    request('view:get', null).then((view) => {
      // If the person has changed the view meanwhile, that is newer.
      if (view === null || kept !== usual) return
      kept = JSON.stringify(viewOf(view))
      uiStore.setState({ ...view, collapsed: new Set(view.collapsed) })
    }),
  )
  return uiStore.subscribe((state, before) => {
    if (KEPT.every((name) => state[name] === before[name])) return
    const view = viewOf(state)
    const text = JSON.stringify(view)
    if (text === kept) return
    kept = text
    run(request('view:set', view))
  })
}

function viewOf(of: Pick<UiState, (typeof KEPT)[number]> | QueueView): QueueView {
  const { sort, collapsed, columns, isCompact, buckets, entryWidths } = of
  return { sort, collapsed: [...collapsed], columns, isCompact, buckets, entryWidths }
}
