// When a listing that goes on page after page is given up.

import { TransferError } from '../core/transfer-error.ts'

/**
 * Services pass over deleted versions, and what else they don't show, in pages that are empty: a thousand at least in
 * each, so that even a hundred million in a row fit.
 */
const MAX_EMPTY_PAGES = 100_000

/** Looks at the pages of one listing, in order. Throws TransferError `answer-unreadable` once too many in a row are empty. */
export type EmptyPageLimit = (entries: number, requestId: string | null) => void

/**
 * For listings that may be of any length. Their markers ascend, which stores check of each page, but a service that
 * makes up markers for ever would be asked for ever.
 */
export function limitEmptyPages(operation: string): EmptyPageLimit {
  let emptyPages = 0
  return (entries, requestId) => {
    emptyPages = entries === 0 ? emptyPages + 1 : 0
    if (emptyPages === MAX_EMPTY_PAGES) throw endlessPages(operation, requestId)
  }
}

/** What is told of a listing that is given up. */
export function endlessPages(operation: string, requestId: string | null): TransferError {
  return new TransferError('answer-unreadable', `The pages of ${operation} do not end`, { requestId })
}
