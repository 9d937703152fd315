import { useEffect, useRef, useState } from 'react'
import type { ListObjectsPage, ListObjectsRequest } from '../../shared/ipc/object-requests.ts'
import type { ListedObject, PlaceId } from '../../shared/place/place.ts'
import { requestUntil } from '../bridge.ts'

export interface Listing {
  readonly prefixes: readonly string[]
  readonly objects: readonly ListedObject[]
  /** True until the last page has come. */
  readonly isListing: boolean
  readonly error: string | null
  /** Asks for the next page unless one is on its way or there is none. */
  readonly loadMore: () => void
}

interface Loaded {
  readonly query: string
  readonly prefixes: readonly string[]
  readonly objects: readonly ListedObject[]
  readonly nextMarker: string | null
  readonly error: string | null
}

/** One folder of a place, page by page. */
export function useObjects(placeId: PlaceId, bucket: string, prefix: string): Listing {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const isAsking = useRef(false)
  const reading = useRef(new AbortController())
  const query = `${placeId} ${bucket} ${prefix}`
  const current = loaded?.query === query ? loaded : null

  useEffect(() => {
    const abort = (reading.current = new AbortController())
    isAsking.current = true
    void fetchPage({ placeId, bucket, prefix, marker: null }, abort.signal).then((page) => {
      if (abort.signal.aborted) return
      isAsking.current = false
      setLoaded(append(null, query, page))
    })
    return () => {
      abort.abort()
    }
  }, [placeId, bucket, prefix, query])

  function loadMore(): void {
    if (isAsking.current || current === null || current.nextMarker === null) return
    isAsking.current = true
    const { signal } = reading.current
    void fetchPage({ placeId, bucket, prefix, marker: current.nextMarker }, signal).then((page) => {
      if (signal.aborted) return
      isAsking.current = false
      setLoaded((before) => (before?.query === query ? append(before, query, page) : before))
    })
  }

  return {
    prefixes: current?.prefixes ?? [],
    objects: current?.objects ?? [],
    isListing: current === null || current.nextMarker !== null,
    error: current?.error ?? null,
    loadMore,
  }
}

async function fetchPage(asked: ListObjectsRequest, signal: AbortSignal): Promise<ListObjectsPage | string> {
  try {
    return await requestUntil(signal, 'objects:list', asked)
  } catch (error) {
    return error instanceof Error ? error.message : 'The list could not be read.'
  }
}

function append(before: Loaded | null, query: string, page: ListObjectsPage | string): Loaded {
  const known = before ?? { query, prefixes: [], objects: [], nextMarker: null, error: null }
  if (typeof page === 'string') return { ...known, nextMarker: null, error: page }
  return {
    query,
    prefixes: [...known.prefixes, ...page.prefixes.filter((each) => !known.prefixes.includes(each))],
    objects: [...known.objects, ...page.objects],
    nextMarker: page.nextMarker,
    error: null,
  }
}
