// What the requests to delete and to move many objects have in common.

import type { BucketAddress, BulkOutcome, ListObjectsRequest, Ticketed } from '../../../shared/ipc/object-requests.ts'
import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { forEachLimit, isFolderMarker, withRetry } from '../../engine/index.ts'
import type { ListObjectsPage, ObjectStore } from '../../stores/port/object-store.ts'
import { openBucket, withRequestErrors, type BucketDeps } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { RequestError } from '../requests/request-error.ts'
import type { Tickets } from '../requests/tickets.ts'

/** Each object takes requests of its own. */
const OBJECTS_AT_A_TIME = 8

export interface BulkDeps extends Pick<BucketDeps, 'deps'> {
  readonly places: Pick<Places, 'require' | 'openStore'>
  readonly tickets: Tickets
}

/** A bucket that is open for one request. */
export interface BulkBucket {
  readonly placeName: string
  readonly store: ObjectStore
  readonly retryPolicy: ReturnType<typeof openBucket>['retryPolicy']
  /** Once it is aborted, no further object is begun. */
  readonly given: AbortSignal
  /** Turns whatever `work` throws into a RequestError about `key`. */
  readonly explain: <Value>(key: string, work: () => Promise<Value>) => Promise<Value>
  /** Does the same, and before that retries for as long as a person would wait. */
  readonly ask: <Value>(key: string, request: () => Promise<Value>) => Promise<Value>
}

/** The keys that something was not done to, and why. */
export type Remainder = Pick<BulkOutcome, 'left' | 'failure'>

/** Opens the bucket for `work`, until the request is given up. Throws RequestError, and what `work` throws. */
export function inBucket(
  around: BulkDeps,
  { ticket, ...address }: BucketAddress & Ticketed,
  work: (bucket: BulkBucket) => Promise<BulkOutcome>,
): Promise<BulkOutcome> {
  const { places, tickets } = around
  return tickets.during(ticket, (given) => {
    const { store, retryPolicy } = openBucket(around, address, given)
    const placeName = places.require(address.placeId).name
    const explain: BulkBucket['explain'] = (key, each) => withRequestErrors(places, address, key, each)
    const ask: BulkBucket['ask'] = (key, request) => explain(key, () => withRetry(retryPolicy, request))
    return work({ placeName, store, retryPolicy, given, explain, ask })
  })
}

/** Lists some of all objects below a folder, `maxKeys` (1 to 1000) at most. Throws RequestError. */
export function listPage(
  { store, given, ask }: BulkBucket,
  { prefix, marker }: Pick<ListObjectsRequest, 'prefix' | 'marker'>,
  maxKeys: number,
): Promise<ListObjectsPage> {
  const after = marker === null ? {} : { marker }
  return ask(prefix, () => store.listObjects({ prefix, maxKeys, signal: given, ...after }))
}

/** Calls `work` for each key, which throws RequestError. Begins none after the first failure, or once given up. */
export async function forEachKey(
  { given }: BulkBucket,
  keys: readonly string[],
  work: (key: string) => Promise<void>,
): Promise<Remainder> {
  const left = new Set(keys)
  let failure: Refusal | null = null
  await forEachLimit(keys, OBJECTS_AT_A_TIME, async (key) => {
    if (failure !== null || given.aborted) return
    try {
      await work(key)
      left.delete(key)
    } catch (error) {
      const refusal = refusalIn(error, given)
      failure ??= refusal
    }
  })
  return { left: [...left], failure }
}

/** The words of a RequestError; null: `given` is aborted, and that is all. Throws every other failure. */
export function refusalIn(failure: unknown, given: AbortSignal): Refusal | null {
  if (failure === given.reason) return null
  if (failure instanceof RequestError) return failure.refusal
  throw failure
}

/** Pure. */
export function outcomeOfKeys(keys: readonly string[], { left, failure }: Remainder): BulkOutcome {
  return { done: keys.length - left.length, left, failure, nextMarker: null }
}

/** Pure. */
export function outcomeOfPage({ objects, nextMarker }: ListObjectsPage, { left, failure }: Remainder): BulkOutcome {
  const stayed = new Set(left)
  // The count is of what was announced: files, not objects that only stand for a folder.
  const done = objects.filter((object) => !stayed.has(object.key) && !isFolderMarker(object)).length
  return { done, left, failure, nextMarker }
}
