// What a person is told of a list of transfers that was damaged.

import { message, worded, type Message } from '../language/message.ts'

interface Saved {
  /** How many could be read. */
  readonly transfers: number
  readonly isWhole: boolean
}

/** What was saved and what was not. Pure. */
export function damageWords(saved: Saved): string {
  return worded(damageMessage(saved))
}

/** The same, to be worded later. Pure. */
export function damageMessage({ transfers, isWhole }: Saved): Message {
  if (isWhole) return message('transfer.damage.mended')
  return transfers === 0
    ? message('transfer.damage.none-read')
    : message('transfer.damage.some-read', { count: transfers })
}
