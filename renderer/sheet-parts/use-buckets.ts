import { useEffect, useState } from 'react'
import type { PlaceId } from '../../shared/place/place.ts'
import { requestUntil } from '../bridge.ts'

/** The buckets of a place by name, to suggest; none while they are listed, where they may not be, and for no place. */
export function useBuckets(placeId: PlaceId | null): readonly string[] {
  const [listed, setListed] = useState<{ readonly placeId: PlaceId | null; readonly names: readonly string[] }>(NONE)
  useEffect(() => {
    if (placeId === null) return undefined
    const abort = new AbortController()
    requestUntil(abort.signal, 'buckets:list', { placeId }).then(
      (buckets) => {
        if (!abort.signal.aborted) setListed({ placeId, names: buckets.map(({ name }) => name) })
      },
      // A name can be typed all the same, and the upload says what is wrong.
      () => undefined,
    )
    return () => abort.abort()
  }, [placeId])
  return listed.placeId === placeId ? listed.names : NONE.names
}

const NONE = { placeId: null, names: [] }
