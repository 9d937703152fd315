// Deletes the selected lines, page by page. Can be stopped. Draws nothing.

import { MAX_DELETED_KEYS, type DeletedObjects, type ListObjectsRequest } from '../../shared/ipc/object-requests.ts'
import { RequestError } from '../bridge.ts'
import type { Entry } from '../state/objects/listing.ts'

export interface Deleter {
  readonly remove: (keys: readonly string[], signal: AbortSignal) => Promise<DeletedObjects>
  readonly removePage: (
    page: Pick<ListObjectsRequest, 'prefix' | 'marker'>,
    signal: AbortSignal,
  ) => Promise<DeletedObjects>
}

/** A deletion that can be stopped and continued. */
export interface Deletion {
  /**
   * Deletes what is left. After each request, calls `tell` with the number of objects deleted since the beginning and
   * the lines that are completely gone now. Ends early when `signal` is aborted. Throws a refusal as a sentence.
   * @returns whether everything is gone
   */
  run(tell: (deleted: number, gone: ReadonlySet<string>) => void, signal: AbortSignal): Promise<boolean>
}

/** Deletes lines, and everything in the folders among them. */
export function createDeletion({ remove, removePage }: Deleter, entries: readonly Entry[]): Deletion {
  let keys = entries.filter(({ kind }) => kind === 'object').map(({ key }) => key)
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ key }) => key)
  /** Where the deletion of the first folder continues. */
  let marker: string | null = null
  let deleted = 0

  async function removeSome(signal: AbortSignal): Promise<readonly [DeletedObjects, gone: readonly string[]]> {
    const some = keys.slice(0, MAX_DELETED_KEYS)
    const answer = await remove(some, signal)
    const left = new Set(answer.left)
    keys = [...answer.left, ...keys.slice(some.length)]
    return [answer, some.filter((key) => !left.has(key))]
  }

  async function removeNextPage(
    prefix: string,
    signal: AbortSignal,
  ): Promise<readonly [DeletedObjects, gone: readonly string[]]> {
    const answer = await removePage({ prefix, marker }, signal)
    // If some of a page is left, the same page is listed again.
    if (answer.left.length > 0) return [answer, []]
    marker = answer.nextMarker
    return [answer, marker === null ? folders.splice(0, 1) : []]
  }

  return {
    async run(tell, signal) {
      for (;;) {
        const [prefix] = folders
        if (signal.aborted || (keys.length === 0 && prefix === undefined)) break
        const step = keys.length > 0 ? removeSome(signal) : removeNextPage(prefix ?? '', signal)
        const done = await step.catch((failure: unknown) => {
          if (signal.aborted) return null
          throw failure
        })
        if (done === null) break
        const [answer, gone] = done
        deleted += answer.deleted
        tell(deleted, new Set(gone))
        if (answer.failure !== null) throw new RequestError({ code: 'failed', message: answer.failure })
      }
      return keys.length + folders.length === 0
    },
  }
}
