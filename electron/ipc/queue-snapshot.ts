import type { TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'

/**
 * Answers with the first look, where there is one, and from then on with the list: whoever has seen the one waits for
 * the other, instead of being shown the same again and again while the list is read.
 */
export function firstLookOnce(
  firstLook: Promise<TransferSnapshot | null>,
  list: () => Promise<TransferSnapshot>,
): () => Promise<TransferSnapshot> {
  let isSeen = false
  return async () => {
    const look = isSeen ? null : await firstLook
    isSeen = true
    return look ?? list()
  }
}
