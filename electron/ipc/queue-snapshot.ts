import type { TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'

/**
 * Answers the first request with the first look, if there is one, and later requests with the list: whoever has seen
 * the first look waits for the list, instead of getting the same rows again and again while the list is read.
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
