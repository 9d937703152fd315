import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { revealRows, uiStore } from './ui-store.ts'

/** Rows that come within this time of others were added with them, milliseconds. */
const TOGETHER_MS = 400

/**
 * Selects what was just added and brings it into view, even from behind a filter; while a place is shown it is selected
 * only. Rows that were made before `sinceMs` (epoch milliseconds) are of an earlier window.
 */
export function createAddedRevealer(sinceMs: number, nowMs: () => number): (added: readonly TransferRow[]) => void {
  let together = new Set<TransferId>()
  let lastAtMs = -Infinity
  return (added) => {
    const ids = added.filter(({ createdAtMs }) => createdAtMs >= sinceMs).map(({ id }) => id)
    const [first] = ids
    if (first === undefined) return
    const isMore = nowMs() - lastAtMs < TOGETHER_MS
    lastAtMs = nowMs()
    together = new Set([...(isMore ? together : []), ...ids])
    const { view } = uiStore.getState()
    if (isMore) uiStore.setState({ selection: together })
    else if (view === 'queue') revealRows(ids)
    else uiStore.setState({ selection: together, anchorId: first, focusedId: first, revealedId: first })
  }
}
