// Deletes the selected lines, page by page. Can be stopped. Draws nothing.

import { MAX_DELETED_KEYS, type BulkOutcome, type ListObjectsRequest } from '../../shared/ipc/object-requests.ts'
import type { Entry } from '../state/objects/listing.ts'
import { workInSteps, type Step, type StoppableWork } from './work/stoppable-work.ts'

export interface Deleter {
  readonly remove: (keys: readonly string[], signal: AbortSignal) => Promise<BulkOutcome>
  readonly removePage: (
    page: Pick<ListObjectsRequest, 'prefix' | 'marker'>,
    signal: AbortSignal,
  ) => Promise<BulkOutcome>
}

/** Deletes lines, and everything in the folders among them. Can be stopped and continued. */
export function createDeletion({ remove, removePage }: Deleter, entries: readonly Entry[]): StoppableWork {
  let keys = entries.filter(({ kind }) => kind === 'object').map(({ key }) => key)
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ key }) => key)
  /** Where the deletion of the first folder continues. */
  let marker: string | null = null

  async function removeSome(signal: AbortSignal): Promise<Step> {
    const some = keys.slice(0, MAX_DELETED_KEYS)
    const answer = await remove(some, signal)
    const left = new Set(answer.left)
    keys = [...answer.left, ...keys.slice(some.length)]
    return stepOf(
      answer,
      some.filter((key) => !left.has(key)),
    )
  }

  async function removeNextPage(prefix: string, signal: AbortSignal): Promise<Step> {
    const answer = await removePage({ prefix, marker }, signal)
    // If some of a page is left, the same page is listed again.
    if (answer.left.length > 0) return stepOf(answer, [])
    marker = answer.nextMarker
    return stepOf(answer, marker === null ? folders.splice(0, 1) : [])
  }

  return workInSteps(
    () => keys.length + folders.length === 0,
    (signal) => (keys.length > 0 ? removeSome(signal) : removeNextPage(folders[0] ?? '', signal)),
  )
}

function stepOf({ done, failure }: BulkOutcome, gone: readonly string[]): Step {
  return { count: done, gone, failure }
}
