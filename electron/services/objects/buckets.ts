import type { BucketAddress, Ticketed } from '../../../shared/ipc/object-requests.ts'
import { message } from '../../../shared/language/message.ts'
import { createBucket, listBuckets } from '../../stores/index.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { Places } from '../places/places.ts'
import { RequestError } from '../requests/request-error.ts'
import type { ObjectServices } from './object-services.ts'

/** Asks a service for as long as a person would wait, or until the ticket is given back. Throws RequestError. */
type Ask = <Value>(
  address: BucketAddress & Ticketed,
  name: string,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>

/** The buckets of a place: lists them, and creates new ones. */
export function createBuckets(
  places: Pick<Places, 'require' | 'connectionOf'>,
  ask: Ask,
): Pick<ObjectServices, 'listBuckets' | 'createBucket'> {
  return {
    listBuckets: (request) =>
      ask(request, '', (signal) =>
        listBuckets(places.connectionOf(request.placeId), signal).catch((failure: unknown) => {
          throw notListed(failure, places.require(request.placeId).name)
        }),
      ),
    createBucket: ({ placeId, bucket }) =>
      ask({ placeId, bucket }, '', async (signal) => {
        await createBucket(places.connectionOf(placeId), bucket, signal).catch((failure: unknown) => {
          throw notCreated(failure, bucket, places.require(placeId).name)
        })
        return null
      }),
  }
}

/** Keys limited to one bucket are common, and so are services that list no buckets: neither is anybody's mistake. */
function notListed(failure: unknown, place: string): unknown {
  if (!(failure instanceof StoreError)) return failure
  if (failure.code === 'AccessDenied')
    return new RequestError(message('services.object.may-not-list-buckets', { place }))
  if (failure.code === STORE_ERROR.notImplemented)
    return new RequestError(message('services.object.no-list-of-buckets', { place }))
  return failure
}

const NOT_CREATED = {
  AccessDenied: 'services.bucket.may-not-create',
  BucketAlreadyExists: 'services.bucket.taken',
  BucketAlreadyOwnedByYou: 'services.bucket.own',
  IllegalLocationConstraintException: 'services.bucket.other-region',
  InvalidBucketName: 'services.bucket.invalid-name',
  InvalidLocationConstraint: 'services.bucket.other-region',
  TooManyBuckets: 'services.bucket.too-many',
  [STORE_ERROR.notImplemented]: 'services.bucket.not-here',
} as const

/** What the errors of CreateBucket mean to the person who named the bucket; other failures stay as they are. */
function notCreated(failure: unknown, bucket: string, place: string): unknown {
  if (!(failure instanceof StoreError) || !isOf(NOT_CREATED, failure.code)) return failure
  return new RequestError(message(NOT_CREATED[failure.code], { bucket, place }))
}

function isOf<Known extends object>(known: Known, code: PropertyKey): code is keyof Known {
  return Object.hasOwn(known, code)
}
