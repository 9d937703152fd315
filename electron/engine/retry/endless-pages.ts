// Gives up listings that go on page after page.

import { TransferError } from '../core/transfer-error.ts'

/**
 * Services skip deleted versions, and whatever else they don't show, in empty pages: at least a thousand in each, so
 * even a hundred million in a row fit.
 */
const MAX_EMPTY_PAGES = 100_000

/** Checks the pages of a listing, in order. Throws TransferError `answer-unreadable` if too many in a row are empty. */
export type EmptyPageLimit = (entries: number, requestId: string | null) => void

/**
 * For listings that may have any length. Their markers ascend, which stores check for each page, but a service that
 * makes up markers forever would be asked forever.
 */
export function limitEmptyPages(operation: string): EmptyPageLimit {
  let emptyPages = 0
  return (entries, requestId) => {
    emptyPages = entries === 0 ? emptyPages + 1 : 0
    if (emptyPages === MAX_EMPTY_PAGES) throw endlessPages(operation, requestId)
  }
}

/** The error for a listing that is given up. */
export function endlessPages(operation: string, requestId: string | null): TransferError {
  return new TransferError('answer-unreadable', `The pages of ${operation} never end`, { requestId })
}
