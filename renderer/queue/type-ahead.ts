import type { TransferId } from '../../shared/transfer/transfer.ts'
import { liveRow } from '../state/queue/queue-store.ts'

/** Letters that follow within this time belong to one word, milliseconds. */
const PAUSE_MS = 800

/** A key as it was pressed, which on a busy machine is earlier than it is handled (ms). */
interface Typed {
  readonly key: string
  readonly timeStamp: number
}

/** Finds the row whose name begins with what is typed, after the current one first; null: none does. */
export function createTypeAhead(
  nameOf: (id: TransferId) => string = (id) => liveRow(id)?.name ?? '',
): (pressed: Typed, ids: readonly TransferId[], current: TransferId) => TransferId | null {
  let typed = ''
  let typedAtMs = -Infinity
  return ({ key, timeStamp }, ids, current) => {
    const isLonger = timeStamp - typedAtMs < PAUSE_MS
    typed = (isLonger ? typed : '') + key.toLocaleLowerCase()
    typedAtMs = timeStamp
    // A longer word may still be of the row that the shorter one was of.
    const from = ids.indexOf(current) + (typed.length > 1 ? 0 : 1)
    const fits = (id: TransferId): boolean => nameOf(id).toLocaleLowerCase().startsWith(typed)
    return ids.slice(from).find(fits) ?? ids.slice(0, from).find(fits) ?? null
  }
}
