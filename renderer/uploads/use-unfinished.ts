import { useEffect, useState } from 'react'
import { message } from '../../shared/language/message.ts'
import { errorOf, WordedError } from '../../shared/language/worded-error.ts'
import type { PlaceId } from '../../shared/place/place.ts'
import type { UnfinishedUpload, UnfinishedUploadsPage, UploadMarkers } from '../../shared/ipc/unfinished-upload.ts'
import type { WaitState } from '../../shared/transfer/transfer.ts'
import { listen, request } from '../bridge.ts'

export interface UnfinishedListing {
  readonly uploads: readonly UnfinishedUpload[]
  /** True until the last page has arrived. */
  readonly isListing: boolean
  readonly error: Error | null
  /** Why the next page has to be requested again later; null: it doesn't. */
  readonly wait: WaitState | null
  /** When the list was read, milliseconds since the epoch. */
  readonly listedAtMs: number
  /** The version that this listing was requested for. */
  readonly version: number
}

const NOTHING: UnfinishedListing = { uploads: [], isListing: true, error: null, wait: null, listedAtMs: 0, version: 0 }

/**
 * All unfinished uploads of a place, page by page. A new `version` requests them again; the old ones stay until the
 * last new page has arrived.
 */
export function useUnfinished(placeId: PlaceId, bucket: string, version: number): UnfinishedListing {
  const [listing, setListing] = useState(NOTHING)

  useEffect(() => {
    let isStale = false
    const forget = listen('uploads:listing-waits', ({ wait, ...of }) => {
      if (of.placeId === placeId && of.bucket === bucket) setListing((before) => ({ ...before, wait }))
    })
    async function listAll(): Promise<void> {
      setListing((before) => ({ ...before, isListing: true, error: null, wait: null }))
      let uploads: readonly UnfinishedUpload[] = []
      for await (const page of pagesOf((after) => request('uploads:list', { placeId, bucket, after }))) {
        if (isStale) return
        uploads = [...uploads, ...page.uploads]
        const now = { listedAtMs: Date.now(), version }
        const listed = { uploads, isListing: page.next !== null, error: null, wait: null, ...now }
        setListing((before) => {
          const isShown = before.version !== version && before.uploads.length > 0
          return listed.isListing && isShown ? { ...before, wait: null } : listed
        })
      }
    }
    listAll().catch((failure: unknown) => {
      const error = errorOf(failure, 'uploads.unfinished.unreadable')
      if (!isStale) setListing((before) => ({ ...before, isListing: false, error, wait: null }))
    })
    return () => {
      isStale = true
      forget()
    }
  }, [placeId, bucket, version])

  return listing
}

/**
 * The pages of one list, requested one after another. Throws when a marker repeats. Services order uploads in different
 * ways, so no single page shows that the list is going round in circles.
 */
export async function* pagesOf(
  ask: (after: UploadMarkers | null) => Promise<UnfinishedUploadsPage>,
): AsyncGenerator<UnfinishedUploadsPage, void> {
  const passed = new Set<string>()
  let after: UploadMarkers | null = null
  do {
    const page: UnfinishedUploadsPage = await ask(after)
    yield page
    after = page.next
    const marker = JSON.stringify(after)
    if (passed.has(marker)) throw new WordedError(message('uploads.unfinished.unreadable'))
    passed.add(marker)
  } while (after !== null)
}
