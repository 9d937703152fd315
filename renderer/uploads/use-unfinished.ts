import { useEffect, useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { PlaceId } from '../../shared/place/place.ts'
import type { UnfinishedUpload, UnfinishedUploadsPage, UploadMarkers } from '../../shared/ipc/unfinished-upload.ts'
import { request } from '../bridge.ts'

export interface UnfinishedListing {
  readonly uploads: readonly UnfinishedUpload[]
  /** True until the last page has come. */
  readonly isListing: boolean
  readonly error: string | null
  /** When the list was read, milliseconds since the epoch. */
  readonly listedAtMs: number
}

const NOTHING: UnfinishedListing = { uploads: [], isListing: true, error: null, listedAtMs: 0 }

/** All unfinished uploads of a place, page after page; `version` asks for them anew. */
export function useUnfinished(placeId: PlaceId, bucket: string, version: number): UnfinishedListing {
  const [listing, setListing] = useState(NOTHING)

  useEffect(() => {
    let isStale = false
    async function listAll(): Promise<void> {
      let uploads: readonly UnfinishedUpload[] = []
      let after: UploadMarkers | null = null
      do {
        const page: UnfinishedUploadsPage = await request('uploads:list', { placeId, bucket, after })
        if (isStale) return
        after = page.next
        uploads = [...uploads, ...page.uploads]
        setListing({ uploads, isListing: after !== null, error: null, listedAtMs: Date.now() })
      } while (after !== null)
    }
    listAll().catch((failure: unknown) => {
      const error = failure instanceof Error ? failure.message : t('uploads.unfinished.unreadable')
      if (!isStale) setListing((before) => ({ ...before, isListing: false, error }))
    })
    return () => {
      isStale = true
    }
  }, [placeId, bucket, version])

  return listing
}
