import { useRef, useState } from 'react'
import { visibleText } from '../../shared/visible-text.ts'
import { request } from '../bridge.ts'
import { formatCount, plural } from '../format.ts'
import { noteRemoved } from '../state/browse-store.ts'
import type { Entry } from '../state/listing.ts'
import type { Spot } from '../state/spot.ts'
import { showToast } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import { deleteEntries } from './delete-entries.ts'
import { describeSize, nameOf, useSizeOf } from './download-picked-sheet.tsx'
import styles from './properties-sheet.module.css'

/** More names than this are counted. */
const MOST_NAMES = 5

export interface DeleteSheetProps {
  readonly spot: Spot
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Names what would be lost, counts what folders hold, and asks. Keeping it is the answer that has focus. */
export function DeleteSheet({ spot, entries, onClose }: DeleteSheetProps) {
  const size = useSizeOf(spot, entries)
  const [deleted, setDeleted] = useState<number | null>(null)
  const [stopping] = useState(() => new AbortController())
  const total = useRef(0)
  const { isBusy, error, submit } = useSubmit(onClose)
  const isCounting = size.state === 'counting'
  const { placeId, bucket } = spot

  async function remove(): Promise<void> {
    setDeleted(0)
    const deleter = {
      remove: (keys: readonly string[]) => request('objects:delete', { placeId, bucket, keys }),
      removePage: (page: { readonly prefix: string; readonly marker: string | null }) =>
        request('objects:delete-page', { placeId, bucket, ...page }),
    }
    await deleteEntries(
      deleter,
      entries,
      (count, gone) => {
        total.current = count
        setDeleted(count)
        noteRemoved(gone)
      },
      stopping.signal,
    )
    showToast(`${plural(total.current, 'object')} deleted.`)
  }

  return (
    <Sheet isAlert title={`Delete ${nameOf(entries)}?`} onClose={isBusy ? stop : onClose}>
      {entries.length > 1 && (
        <ul className={styles['names']}>
          {entries.slice(0, MOST_NAMES).map(({ key }) => (
            <li key={key}>{visibleText(key)}</li>
          ))}
          {entries.length > MOST_NAMES && <li>and {formatCount(entries.length - MOST_NAMES)} more</li>}
        </ul>
      )}
      <p role="status">
        {deleted === null
          ? `${describeSize(size)}. This can’t be undone.`
          : `${formatCount(deleted)} of ${formatCount(size.objects)} deleted…`}
      </p>
      <SheetError text={error} />
      <SheetButtons>
        {isBusy ? (
          <Button onPress={stop}>Stop</Button>
        ) : (
          <Button look="danger" isDisabled={isCounting} onPress={() => submit(remove)}>
            {error === null ? 'Delete' : 'Retry'}
          </Button>
        )}
        <Button takesFocus look="solid" isDisabled={isBusy} onPress={onClose}>
          {deleted === null ? 'Keep' : 'Close'}
        </Button>
      </SheetButtons>
    </Sheet>
  )

  function stop(): void {
    stopping.abort()
  }
}
