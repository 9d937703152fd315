import { useRef, useState } from 'react'
import { visibleText } from '../../shared/visible-text.ts'
import { requestUntil } from '../bridge.ts'
import type { FolderSize } from '../sheet-parts/measure-folder.ts'
import { describeSize, nameOf, useSizeOf } from '../sheet-parts/use-size-of.ts'
import { noteRemoved } from '../state/browse-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { showToast } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { formatCount, plural } from '../words/format.ts'
import { createDeletion, type Deletion } from './delete-entries.ts'
import styles from './delete-sheet.module.css'

/** More names than this are counted. */
const MOST_NAMES = 5

export interface DeleteSheetProps {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Names what would be lost, counts what folders hold, and asks. “Cancel” has focus. */
export function DeleteSheet({ location, entries, onClose }: DeleteSheetProps) {
  const size = useSizeOf(location, entries)
  const { deleted, state, error, start, stop } = useDeletion(location, entries, onClose)
  const isRunning = state === 'running' || state === 'stopping'
  return (
    <Sheet isAlert title={`Delete ${nameOf(entries)}?`} onClose={isRunning ? stop : onClose}>
      {entries.length > 1 && (
        <ul className={styles['names']}>
          {entries.slice(0, MOST_NAMES).map(({ key }) => (
            <li key={key}>{visibleText(key)}</li>
          ))}
          {entries.length > MOST_NAMES && <li>and {formatCount(entries.length - MOST_NAMES)} more</li>}
        </ul>
      )}
      <p role="status">
        {state === 'asking' ? `${describeSize(size)}. This can’t be undone.` : said(deleted, size, state)}
      </p>
      <SheetError text={error} />
      <SheetButtons>
        {isRunning ? (
          <Button isDisabled={state === 'stopping'} onPress={stop}>
            Stop
          </Button>
        ) : (
          <Button look="danger" isDisabled={size.state === 'counting'} onPress={start}>
            {error !== null ? 'Retry' : state === 'asking' ? 'Delete' : 'Delete the rest'}
          </Button>
        )}
        <Button takesFocus look="solid" isDisabled={isRunning} onPress={onClose}>
          {state === 'asking' ? 'Cancel' : 'Close'}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** "412 of 1,204 files deleted", and what that means for the others. */
function said(deleted: number, size: FolderSize, state: DeletionState): string {
  const isCounted = size.state === 'counted'
  const sum = isCounted
    ? `${formatCount(deleted)} of ${plural(size.objects, 'file')} deleted`
    : `${plural(deleted, 'file')} deleted`
  if (state === 'running') return `${sum}…`
  return state === 'stopping' ? `${sum}, stopping…` : `${sum}. The others are still there.`
}

type DeletionState = 'asking' | 'running' | 'stopping' | 'stopped'

function useDeletion({ placeId, bucket }: BrowseLocation, entries: readonly Entry[], onClose: () => void) {
  const [state, setState] = useState<DeletionState>('asking')
  const [deleted, setDeleted] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [deletion] = useState((): Deletion => {
    const address = { placeId, bucket }
    return createDeletion(
      {
        remove: (keys, signal) => requestUntil(signal, 'objects:delete', { ...address, keys }),
        removePage: (page, signal) => requestUntil(signal, 'objects:delete-page', { ...address, ...page }),
      },
      entries,
    )
  })
  const running = useRef<AbortController | null>(null)

  async function go(): Promise<void> {
    const { signal } = (running.current = new AbortController())
    setState('running')
    setError(null)
    let count = deleted
    try {
      const isAll = await deletion.run((now, gone) => {
        count = now
        setDeleted(now)
        noteRemoved(gone)
      }, signal)
      if (isAll) {
        showToast(`${plural(count, 'file')} deleted.`)
        onClose()
      }
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Something went wrong in the app.')
    } finally {
      setState('stopped')
    }
  }

  return {
    deleted,
    state,
    error,
    start: () => void go(),
    stop: () => {
      setState('stopping')
      running.current?.abort()
    },
  }
}
