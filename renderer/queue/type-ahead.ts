import type { TransferId } from '../../shared/transfer/transfer.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { createTypedWord, type PressedKey } from '../ui/hooks/typed-word.ts'

/** Finds the row whose name begins with what is typed, after the current one first; null: none does. */
export function createTypeAhead(
  nameOf: (id: TransferId) => string = (id) => liveRow(id)?.name ?? '',
): (pressed: PressedKey, ids: readonly TransferId[], current: TransferId) => TransferId | null {
  const word = createTypedWord()
  return (pressed, ids, current) => {
    const typed = word.add(pressed)
    // A longer word may still be of the row that the shorter one was of.
    const from = ids.indexOf(current) + (typed.length > 1 ? 0 : 1)
    const fits = (id: TransferId): boolean => nameOf(id).toLocaleLowerCase().startsWith(typed)
    return ids.slice(from).find(fits) ?? ids.slice(0, from).find(fits) ?? null
  }
}
