// Finds the unfinished uploads of a key. Keys that were added together share one listing.

import type { ListedUpload } from '../../stores/port/object-store.ts'
import type { Clock, OpenUploads, UploadAsker, UploadKey } from '../core/deps.ts'
import type { StoreLocation } from '../core/records.ts'
import { listUploadsUnder } from './listings.ts'

/** A shared listing is read no further than this; if it is longer, each key gets a listing of its own. */
const MAX_SHARED_PAGES = 10
/** A shared listing is used for this long, milliseconds: a queue can take hours. */
const SHARED_FOR_MS = 600_000

/** The listing for all keys of one bucket that were added together. */
interface SharedListing {
  readonly bucket: string
  readonly prefix: string
  readonly startedAtMs: number
  /** Null until the first key asks. Resolves to null if it can't tell the uploads of all keys. */
  found: Promise<ReadonlyMap<string, readonly ListedUpload[]> | null> | null
}

export function createOpenUploads(clock: Pick<Clock, 'monotonicMs'>): OpenUploads {
  let listings: readonly SharedListing[] = []

  function sharedBy({ location, key }: UploadKey): SharedListing | undefined {
    listings = listings.filter(({ startedAtMs }) => clock.monotonicMs() - startedAtMs < SHARED_FOR_MS)
    const bucket = bucketOf(location)
    return listings.findLast((shared) => shared.bucket === bucket && key.startsWith(shared.prefix))
  }

  async function ofOneKey(key: string, { store, retryPolicy, signal }: UploadAsker): Promise<readonly ListedUpload[]> {
    // Some services list by prefix only if the prefix is a whole key.
    const found = await listUploadsUnder(store, key, { retryPolicy, signal, maxPages: Number.POSITIVE_INFINITY })
    return typeof found === 'string' ? [] : found.filter((upload) => upload.key === key)
  }

  return {
    expect(addresses) {
      const byBucket = groupBy(addresses, ({ location }) => bucketOf(location))
      for (const [bucket, some] of byBucket) {
        if (some.length < 2) continue
        const prefix = commonPrefix(some.map(({ key }) => key))
        listings = [...listings, { bucket, prefix, startedAtMs: clock.monotonicMs(), found: null }]
      }
    },
    async ofKey(address, asker) {
      const shared = sharedBy(address)
      if (shared === undefined) return ofOneKey(address.key, asker)
      const isFirst = shared.found === null
      shared.found ??= listShared(shared, asker)
      try {
        const listed = await shared.found
        return listed === null ? await ofOneKey(address.key, asker) : (listed.get(address.key) ?? [])
      } catch (failure) {
        if (isFirst) throw failure
        // The shared listing was aborted or failed: this key asks for itself.
        return ofOneKey(address.key, asker)
      }
    },
  }
}

async function listShared(
  shared: SharedListing,
  { store, retryPolicy, signal }: UploadAsker,
): Promise<ReadonlyMap<string, readonly ListedUpload[]> | null> {
  try {
    const found = await listUploadsUnder(store, shared.prefix, { retryPolicy, signal, maxPages: MAX_SHARED_PAGES })
    if (found === 'too-many') return null
    if (found === 'unlisted') return new Map()
    // The service may know them only by their whole keys.
    if (found.length === 0 && store.capabilities.listsUploadsByPrefix !== true) return null
    return groupBy(found, ({ key }) => key)
  } catch (failure) {
    shared.found = null
    throw failure
  }
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

function bucketOf(location: StoreLocation): string {
  return location.kind === 'place' ? `${location.placeId}/${location.bucket}` : location.url
}

/** Ends with a `/`, so that it is a folder and splits no character. */
function commonPrefix(keys: readonly string[]): string {
  let prefix = keys[0] ?? ''
  for (const key of keys) while (!key.startsWith(prefix)) prefix = prefix.slice(0, -1)
  return prefix.slice(0, prefix.lastIndexOf('/') + 1)
}
