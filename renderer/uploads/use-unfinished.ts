import { useEffect, useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { PlaceId } from '../../shared/place/place.ts'
import type { UnfinishedUpload, UnfinishedUploadsPage, UploadMarkers } from '../../shared/ipc/unfinished-upload.ts'
import type { WaitState } from '../../shared/transfer/transfer.ts'
import { listen, request } from '../bridge.ts'

export interface UnfinishedListing {
  readonly uploads: readonly UnfinishedUpload[]
  /** True until the last page has come. */
  readonly isListing: boolean
  readonly error: string | null
  /** What is waited for before the next page is asked for again; null: nothing. */
  readonly wait: WaitState | null
  /** When the list was read, milliseconds since the epoch. */
  readonly listedAtMs: number
  /** Which time of asking it is of. */
  readonly version: number
}

const NOTHING: UnfinishedListing = { uploads: [], isListing: true, error: null, wait: null, listedAtMs: 0, version: 0 }

/**
 * All unfinished uploads of a place, page after page; `version` asks for them anew, and what is shown already stays until
 * the last page of the new ones has come.
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
      let after: UploadMarkers | null = null
      do {
        const page: UnfinishedUploadsPage = await request('uploads:list', { placeId, bucket, after })
        if (isStale) return
        after = page.next
        uploads = [...uploads, ...page.uploads]
        const now = { listedAtMs: Date.now(), version }
        const listed = { uploads, isListing: after !== null, error: null, wait: null, ...now }
        setListing((before) => {
          const isShown = before.version !== version && before.uploads.length > 0
          return listed.isListing && isShown ? { ...before, wait: null } : listed
        })
      } while (after !== null)
    }
    listAll().catch((failure: unknown) => {
      const error = failure instanceof Error ? failure.message : t('uploads.unfinished.unreadable')
      if (!isStale) setListing((before) => ({ ...before, isListing: false, error, wait: null }))
    })
    return () => {
      isStale = true
      forget()
    }
  }, [placeId, bucket, version])

  return listing
}
