import { MAX_DELETED_KEYS, type DeletedObjects, type ListObjectsRequest } from '../../shared/object-requests.ts'
import type { Entry } from '../state/listing.ts'

export interface Deleter {
  readonly remove: (keys: readonly string[]) => Promise<DeletedObjects>
  readonly removePage: (page: Pick<ListObjectsRequest, 'prefix' | 'marker'>) => Promise<DeletedObjects>
}

/**
 * Deletes lines and whatever is in the folders among them, telling how many objects are gone after each request. Ends
 * early with `signal`; each time also the lines that are gone whole. Throws what the service refuses, as a sentence.
 */
export async function deleteEntries(
  { remove, removePage }: Deleter,
  entries: readonly Entry[],
  tell: (deleted: number, gone: ReadonlySet<string>) => void,
  signal: AbortSignal,
): Promise<void> {
  let deleted = 0
  function count(page: DeletedObjects, gone: readonly string[]): void {
    deleted += page.deleted
    tell(deleted, new Set(page.failure === null ? gone : []))
    if (page.failure !== null) throw new Error(page.failure)
  }

  const keys = entries.filter(({ kind }) => kind === 'object').map(({ key }) => key)
  for (let start = 0; start < keys.length && !signal.aborted; start += MAX_DELETED_KEYS) {
    const some = keys.slice(start, start + MAX_DELETED_KEYS)
    count(await remove(some), some)
  }
  for (const { kind, key: prefix } of entries) {
    let marker: string | null = null
    while (kind === 'folder' && !signal.aborted) {
      const page: DeletedObjects = await removePage({ prefix, marker })
      marker = page.nextMarker
      count(page, marker === null ? [prefix] : [])
      if (marker === null) break
    }
  }
}
