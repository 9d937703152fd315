import type { TransferId } from '../../shared/transfer/transfer.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { createTypedWord, type PressedKey } from '../ui/hooks/typed-word.ts'

/** Finds the next row, after the current one and wrapping around, whose name begins with what is typed; null: none. */
export function createTypeAhead(
  nameOf: (id: TransferId) => string = (id) => liveRow(id)?.name ?? '',
): (pressed: PressedKey, ids: readonly TransferId[], current: TransferId) => TransferId | null {
  const word = createTypedWord()
  return (pressed, ids, current) => {
    const typed = word.add(pressed)
    // A longer word may still match the current row.
    const from = ids.indexOf(current) + (typed.length > 1 ? 0 : 1)
    const fits = (id: TransferId): boolean => nameOf(id).toLocaleLowerCase().startsWith(typed)
    return ids.slice(from).find(fits) ?? ids.slice(0, from).find(fits) ?? null
  }
}
