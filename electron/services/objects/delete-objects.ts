import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import {
  forEachKey,
  inBucket,
  listPage,
  outcomeOfKeys,
  outcomeOfPage,
  refusalIn,
  type BulkBucket,
  type BulkDeps,
  type Remainder,
} from './bulk-requests.ts'
import type { ObjectServices } from './object-services.ts'

const PAGE_SIZE = 1000
/** Requests under way when a person stops are left to finish, so that the count is right. */
const unstoppable = () => new AbortController().signal

/** Deletes objects for good, many at a time; rides out trouble for as long as a person would wait. */
export function createRemoval(around: BulkDeps): Pick<ObjectServices, 'remove' | 'removePage'> {
  return {
    remove: ({ keys, ...request }) =>
      inBucket(around, request, async (bucket) => outcomeOfKeys(keys, await removeAll(bucket, keys))),
    removePage: ({ prefix, marker, ...request }) =>
      inBucket(around, request, async (bucket) => {
        const page = await listPage(bucket, { prefix, marker }, PAGE_SIZE)
        const keys = page.objects.map(({ key }) => key)
        return outcomeOfPage(page, await removeAll(bucket, keys))
      }),
  }
}

async function removeAll(bucket: BulkBucket, keys: readonly string[]): Promise<Remainder> {
  const { store, given, ask } = bucket
  try {
    const rest = await removeTogether(bucket, keys)
    return await forEachKey(bucket, rest, (key) => ask(key, () => store.deleteObject({ key, signal: unstoppable() })))
  } catch (failure) {
    return { left: keys, failure: refusalIn(failure, given) }
  }
}

/** @returns the keys to delete one by one: those that the service refused, to learn why, or all of them */
async function removeTogether({ store, given, ask }: BulkBucket, keys: readonly string[]): Promise<readonly string[]> {
  const [first] = keys
  if (store.deleteObjects === undefined || first === undefined || keys.length === 1 || given.aborted) return keys
  const refused = await ask(first, async () =>
    store.deleteObjects?.({ keys, signal: unstoppable() }).catch(nullIfLacking),
  )
  return refused ?? keys
}

function nullIfLacking(failure: unknown): null {
  if (failure instanceof StoreError && failure.code === STORE_ERROR.notImplemented) return null
  throw failure
}
