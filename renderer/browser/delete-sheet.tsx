import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { requestUntil } from '../bridge.ts'
import type { FolderSize } from '../sheet-parts/measure-folder.ts'
import { describeSize, nameOf, useSizeOf } from '../sheet-parts/use-size-of.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { showToast } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { createDeletion } from './delete-entries.ts'
import styles from './delete-sheet.module.css'
import { useStoppableWork, type WorkState } from './work/use-stoppable-work.ts'

/** The most names that are listed; any others are counted. */
const MOST_NAMES = 5

export interface DeleteSheetProps {
  readonly location: BrowseLocation
  readonly entries: readonly Entry[]
  readonly onClose: () => void
}

/** Names what would be deleted, counts what is in folders, and asks. “Cancel” has focus. */
export function DeleteSheet({ location, entries, onClose }: DeleteSheetProps) {
  const size = useSizeOf(location, entries)
  const { deleted, state, error, start, stop } = useDeletion(location, entries, onClose)
  const isRunning = state === 'running' || state === 'stopping'
  return (
    <Sheet isAlert title={t('browser.delete', { name: nameOf(entries) })} onClose={isRunning ? stop : onClose}>
      {entries.length > 1 && (
        <ul className={styles['names']}>
          {entries.slice(0, MOST_NAMES).map(({ key }) => (
            <li key={key}>{visibleText(key)}</li>
          ))}
          {entries.length > MOST_NAMES && <li>{t('browser.delete.more', { count: entries.length - MOST_NAMES })}</li>}
        </ul>
      )}
      <p role="status">
        {state === 'asking' ? t('browser.delete.ask', { size: describeSize(size) }) : said(deleted, size, state)}
      </p>
      <SheetError text={error} />
      <SheetButtons>
        {isRunning ? (
          <Button isDisabled={state === 'stopping'} onPress={stop}>
            {t('browser.stop')}
          </Button>
        ) : (
          <Button look="danger" isDisabled={size.state === 'counting'} onPress={start}>
            {t(error !== null ? 'common.retry' : state === 'asking' ? 'common.delete' : 'browser.delete.rest')}
          </Button>
        )}
        <Button takesFocus look="solid" isDisabled={isRunning} onPress={onClose}>
          {t(state === 'asking' ? 'common.cancel' : 'common.close')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** "412 of 1,204 files deleted", and what happens to the others. */
function said(done: number, { state: counting, objects }: FolderSize, state: Exclude<WorkState, 'asking'>): string {
  const deleted =
    counting === 'counted'
      ? t('browser.delete.done-of', { done, count: objects })
      : t('browser.delete.done', { count: done })
  return t(`browser.delete.${state}`, { deleted })
}

function useDeletion({ placeId, bucket }: BrowseLocation, entries: readonly Entry[], onClose: () => void) {
  const [deletion] = useState(() => {
    const address = { placeId, bucket }
    return createDeletion(
      {
        remove: (keys, signal) => requestUntil(signal, 'objects:delete', { ...address, keys }),
        removePage: (page, signal) => requestUntil(signal, 'objects:delete-page', { ...address, ...page }),
      },
      entries,
    )
  })
  const {
    done: deleted,
    state,
    error,
    go,
    stop,
  } = useStoppableWork((count) => {
    showToast(() => t('browser.delete.all', { count }))
    onClose()
  })
  return { deleted, state, error, start: () => void go(deletion), stop }
}
