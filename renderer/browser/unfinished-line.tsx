import { useEffect, useState } from 'react'
import { ChevronRight, CircleDashed } from 'lucide-react'
import type { Place } from '../../shared/place.ts'
import { request } from '../bridge.ts'
import { formatCount, plural } from '../format.ts'
import { useBrowse } from '../state/browse-store.ts'
import { useUi } from '../state/selectors.ts'
import { openDialog } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import styles from './browse-view.module.css'

/** One line above the objects while uploads of the bucket are unfinished; it opens their list. */
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

/** Asked when the bucket opens, with each refresh, and when a sheet closes that may have changed it. */
function useUnfinishedWords(placeId: string, bucket: string): string | null {
  const [words, setWords] = useState<string | null>(null)
  const isRefreshing = useBrowse(({ listing }) => listing.isStale)
  const hasDialog = useUi(({ dialog }) => dialog.kind !== 'none')
  useEffect(() => {
    if (isRefreshing || hasDialog) return undefined
    let isWanted = true
    // A key that may not see them has nothing to be told here.
    request('uploads:list', { placeId, bucket, after: null }).then(
      ({ uploads, next }) => {
        const { length } = uploads
        const count = next === null ? plural(length, 'unfinished upload') : `${formatCount(length)}+ unfinished uploads`
        if (isWanted) setWords(length === 0 ? null : count)
      },
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [placeId, bucket, isRefreshing, hasDialog])
  return words
}
