import type { BucketAddress, DeletedObjects } from '../../../shared/ipc/object-requests.ts'
import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { forEachLimit, isFolderMarker, withRetry } from '../../engine/index.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { RequestError } from '../requests/request-error.ts'
import { openBucket, withRequestErrors, type BucketDeps } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import type { Tickets } from '../requests/tickets.ts'
import type { ObjectServices } from './object-services.ts'

const PAGE_SIZE = 1000
/** How many requests run at a time when each object takes its own. */
const DELETES_AT_A_TIME = 8
/** Requests under way when a person stops are left to finish, so that the count is right. */
const unstoppable = () => new AbortController().signal

interface RemovalDeps extends Pick<BucketDeps, 'deps'> {
  readonly places: Pick<Places, 'require' | 'openStore'>
  readonly tickets: Tickets
}

/** Keys to delete, and how. */
interface Removal {
  readonly keys: readonly string[]
  readonly store: ObjectStore
  /** Once it is aborted, no further request begins. */
  readonly given: AbortSignal
  /** Retries for as long as a person would wait; a failure becomes a RequestError about `key`. */
  readonly ask: <Value>(key: string, request: () => Promise<Value>) => Promise<Value>
}

type Removed = Pick<DeletedObjects, 'left' | 'failure'>

/** Deletes objects for good, many at a time; rides out trouble for as long as a person would wait. */
export function createRemoval(around: RemovalDeps): Pick<ObjectServices, 'remove' | 'removePage'> {
  const { places, tickets } = around

  async function removeKeys(address: BucketAddress, keys: readonly string[], given: AbortSignal) {
    const { store, retryPolicy } = openBucket(around, address, given)
    const ask: Removal['ask'] = (key, request) =>
      withRequestErrors(places, address, key, () => withRetry(retryPolicy, request))
    const removal = { keys, store, given, ask }
    const { left, failure } = await removeAll(removal)
    return { deleted: keys.length - left.length, left, failure }
  }

  return {
    remove: ({ keys, ticket, ...address }) =>
      tickets.during(ticket, async (given) => ({ ...(await removeKeys(address, keys, given)), nextMarker: null })),
    removePage: ({ prefix, marker, ticket, ...address }) =>
      tickets.during(ticket, async (given) => {
        const { store, retryPolicy } = openBucket(around, address, given)
        const after = marker === null ? {} : { marker }
        const page = await withRequestErrors(places, address, prefix, () =>
          withRetry(retryPolicy, () => store.listObjects({ prefix, maxKeys: PAGE_SIZE, signal: given, ...after })),
        )
        const keys = page.objects.map(({ key }) => key)
        const removed = await removeKeys(address, keys, given)
        const left = new Set(removed.left)
        const gone = page.objects.filter(({ key }) => !left.has(key))
        // The count is of what was announced: files, not objects that only stand for a folder.
        const deleted = gone.filter((object) => !isFolderMarker(object)).length
        return { ...removed, deleted, nextMarker: page.nextMarker }
      }),
  }
}

async function removeAll(removal: Removal): Promise<Removed> {
  const { keys, given } = removal
  try {
    return await removeEach({ ...removal, keys: await removeTogether(removal) })
  } catch (failure) {
    return { left: keys, failure: failure === given.reason ? null : refusalIn(failure) }
  }
}

/** @returns the keys to delete one by one: those that the service refused, to learn why, or all of them */
async function removeTogether({ keys, store, given, ask }: Removal): Promise<readonly string[]> {
  const [first] = keys
  if (store.deleteObjects === undefined || first === undefined || keys.length === 1 || given.aborted) return keys
  const refused = await ask(first, async () =>
    store.deleteObjects?.({ keys, signal: unstoppable() }).catch(nullIfLacking),
  )
  return refused ?? keys
}

/** Begins no further deletion after the first failure. */
async function removeEach({ keys, store, given, ask }: Removal): Promise<Removed> {
  const left = new Set(keys)
  let failure: Refusal | null = null
  await forEachLimit(keys, DELETES_AT_A_TIME, async (key) => {
    if (failure !== null || given.aborted) return
    try {
      await ask(key, () => store.deleteObject({ key, signal: unstoppable() }))
      left.delete(key)
    } catch (refusal) {
      const why = refusalIn(refusal)
      if (refusal !== given.reason) failure ??= why
    }
  })
  return { left: [...left], failure }
}

function nullIfLacking(failure: unknown): null {
  if (failure instanceof StoreError && failure.code === STORE_ERROR.notImplemented) return null
  throw failure
}

function refusalIn(failure: unknown): Refusal {
  if (failure instanceof RequestError) return failure.refusal
  throw failure
}
