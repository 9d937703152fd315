import type { BucketAddress } from '../../../shared/ipc/object-requests.ts'
import type { Place } from '../../../shared/place/place.ts'
import { RequestError } from '../common/request-error.ts'
import type { Places } from './places.ts'

/** The place as it looks from one of its buckets. Throws RequestError when it is gone or no bucket is named. */
export function placeAt(places: Pick<Places, 'require'>, { placeId, bucket }: BucketAddress): Place {
  const place = places.require(placeId)
  const named = bucket ?? place.bucket
  if (named === '') throw new RequestError(`Which bucket of ${place.name}? Open one first.`)
  return { ...place, bucket: named }
}

/** Where a store of the engine's finds it. */
export function locationOf({ id, bucket }: Place) {
  return { kind: 'place', placeId: id, bucket } as const
}
