import { useEffect, useState } from 'react'
import type { PlaceId } from '../../shared/place/place.ts'
import { requestUntil } from '../bridge.ts'

/** The names of a place's buckets, as suggestions. Empty while they are being listed, or if they can't be. */
export function useBuckets(placeId: PlaceId | null): readonly string[] {
  const [listed, setListed] = useState<{ readonly placeId: PlaceId | null; readonly names: readonly string[] }>(NONE)
  useEffect(() => {
    if (placeId === null) return undefined
    const abort = new AbortController()
    requestUntil(abort.signal, 'buckets:list', { placeId }).then(
      (buckets) => {
        if (!abort.signal.aborted) setListed({ placeId, names: buckets.map(({ name }) => name) })
      },
      // A name can still be typed, and the upload says what is wrong.
      () => undefined,
    )
    return () => abort.abort()
  }, [placeId])
  return listed.placeId === placeId ? listed.names : NONE.names
}

const NONE = { placeId: null, names: [] }
