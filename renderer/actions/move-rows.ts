import type { TransferId } from '../../shared/transfer/transfer.ts'
import { requestForRows } from '../bridge.ts'
import { idsAround } from '../state/shown-ids.ts'
import { run } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'

export type Move = 'top' | 'up' | 'down' | 'bottom'

/** Whether rows can be moved this way. Not while the list is sorted by a column and doesn't show their order. */
export function canMove(ids: readonly TransferId[], move: Move): boolean {
  return uiStore.getState().sort === null && targetOf(idsAround(ids), ids, move) !== undefined
}

/** Moves rows within their group. */
export function moveRows(ids: readonly TransferId[], move: Move): void {
  const before = canMove(ids, move) ? targetOf(idsAround(ids), ids, move) : undefined
  if (before !== undefined) moveBefore(ids, before)
}

export function moveBefore(ids: readonly TransferId[], before: TransferId | null): void {
  run(requestForRows('transfers:move', { ids, before }))
}

/**
 * The row before which `ids` are to stand; null: they become the last; undefined: they are already there. Pure.
 */
export function targetOf(
  shown: readonly TransferId[],
  ids: readonly TransferId[],
  move: Move,
): TransferId | null | undefined {
  const moved = new Set(ids)
  const places = shown.flatMap((id, index) => (moved.has(id) ? [index] : []))
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const areTogether = last - first === places.length - 1
  const isUp = move === 'top' || move === 'up'
  if (areTogether && (isUp ? first === 0 : last === shown.length - 1)) return undefined
  switch (move) {
    case 'top':
      return shown[0]
    case 'up':
      return shown[Math.max(0, first - 1)]
    case 'down':
      return shown[last + 2] ?? null
    case 'bottom':
      return null
  }
}
