// What to tell a person about a damaged list of transfers.

import { message, worded, type Message } from '../../language/message.ts'

interface Saved {
  /** How many transfers could be read. */
  readonly transfers: number
  readonly isWhole: boolean
}

/** A sentence about what was saved and what was not. Pure. */
export function damageWords(saved: Saved): string {
  return worded(damageMessage(saved))
}

/** The same sentence, to be put into words later. Pure. */
export function damageMessage({ transfers, isWhole }: Saved): Message {
  if (isWhole) return message('transfer.damage.mended')
  return transfers === 0
    ? message('transfer.damage.none-read')
    : message('transfer.damage.some-read', { count: transfers })
}
