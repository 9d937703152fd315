import type { TransferRow, WaitState } from '../../shared/transfer/transfer.ts'
import type { Output } from './output.ts'

/** Says of each transfer that it is shown why it waits: every try once. A new cause is news, the same one is not. */
export function createWaitNotes(output: Output): (row: TransferRow) => void {
  const said = new Map<string, WaitState>()
  return ({ id, wait }) => {
    if (wait === null || said.get(id) === wait) return
    said.set(id, wait)
    output.waiting(wait)
  }
}
