import type { TransferId } from '../../shared/transfer/transfer.ts'
import { liveRow } from '../state/queue/queue-store.ts'

/** Letters that follow within this time belong to one word, milliseconds. */
const PAUSE_MS = 800

/** Finds the row whose name begins with what is typed, after the current one first; null: none does. */
export function createTypeAhead(
  nowMs: () => number,
  nameOf: (id: TransferId) => string = (id) => liveRow(id)?.name ?? '',
): (letter: string, ids: readonly TransferId[], current: TransferId) => TransferId | null {
  let typed = ''
  let typedAtMs = -Infinity
  return (letter, ids, current) => {
    const isLonger = nowMs() - typedAtMs < PAUSE_MS
    typed = (isLonger ? typed : '') + letter.toLocaleLowerCase()
    typedAtMs = nowMs()
    // A longer word may still be of the row that the shorter one was of.
    const from = ids.indexOf(current) + (typed.length > 1 ? 0 : 1)
    const fits = (id: TransferId): boolean => nameOf(id).toLocaleLowerCase().startsWith(typed)
    return ids.slice(from).find(fits) ?? ids.slice(0, from).find(fits) ?? null
  }
}
