import { useEffect, useState } from 'react'
import { ChevronRight, CircleDashed } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import { isUnderWay } from '../../shared/ipc/unfinished-upload.ts'
import type { Place } from '../../shared/place/place.ts'
import { isFinal } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { useBrowse } from '../state/browse-store.ts'
import { liveRow, onStatusChanges } from '../state/queue/queue-store.ts'
import { useUi } from '../state/selectors.ts'
import { hasSheet, openDialog } from '../state/ui/open-dialogs.ts'
import { Button } from '../ui/button.tsx'
import styles from './browse-view.module.css'

const PAUSE_MS = 500

/** A line above the objects while uploads to the bucket wait for somebody to finish them. It opens their list. */
export function UnfinishedLine({ place, bucket }: { readonly place: Place; readonly bucket: string }) {
  const words = useUnfinishedWords(place.id, bucket)
  if (words === null) return null
  return (
    <Button
      look="quiet"
      hasPopup="dialog"
      className={styles['unfinished']}
      onPress={() => {
        openDialog({ kind: 'unfinished', place, bucket })
      }}
    >
      <CircleDashed size={16} aria-hidden />
      {words}
      <ChevronRight size={14} aria-hidden />
    </Button>
  )
}

/**
 * The words of that line. Requested when the bucket opens, at each refresh, when a sheet closes that may have changed
 * something, and after uploads to the bucket.
 */
function useUnfinishedWords(placeId: string, bucket: string): string | null {
  const [words, setWords] = useState<string | null>(null)
  const isRefreshing = useBrowse(({ listing }) => listing.old !== null && listing.state === 'listing')
  const hasDialog = useUi(hasSheet)
  const uploads = useUploadsEnded(placeId, bucket)
  useEffect(() => {
    if (isRefreshing || hasDialog) return undefined
    let isWanted = true
    // If the key may not list unfinished uploads, there is nothing to say.
    request('uploads:list', { placeId, bucket, after: null }).then(
      ({ uploads, next }) => {
        const count = uploads.filter((upload) => !isUnderWay(upload)).length
        const said = t(next === null ? 'uploads.unfinished.count' : 'browser.unfinished-or-more', { count })
        if (isWanted) setWords(count === 0 ? null : said)
      },
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [placeId, bucket, isRefreshing, hasDialog, uploads])
  return words
}

/** Grows when uploads to a bucket end, at most once in a while, however many end. */
function useUploadsEnded(placeId: string, bucket: string): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const forget = onStatusChanges((changes) => {
      const isEnd = ({ id, to }: (typeof changes)[number]) => {
        const row = isFinal(to) ? liveRow(id) : undefined
        return row?.direction === 'upload' && row.placeId === placeId && row.bucket === bucket
      }
      if (timer !== null || !changes.some(isEnd)) return
      timer = setTimeout(() => {
        timer = null
        setCount((before) => before + 1)
      }, PAUSE_MS)
    })
    return () => {
      forget()
      if (timer !== null) clearTimeout(timer)
    }
  }, [placeId, bucket])
  return count
}
